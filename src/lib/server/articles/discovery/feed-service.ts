import { LRUCache } from 'lru-cache';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import type { Feed, FeedItem, FeedKind } from '../../../contract/calls/discovery-calls.ts';
import { idField } from '../../../contract/fields.ts';
import { picturesIn } from '../../../contract/rules/pictures.ts';
import { toListed, type ListedArticle } from '../core/article-wire.ts';
import type { Scope } from '../core/article-queries.ts';
import { countArticles } from '../core/count-queries.ts';
import * as queries from './feed-queries.ts';
import { listArticles } from '../core/list-queries.ts';
import { MIB, MINUTE_MS } from '../../../contract/rules/units.ts';
import type { Uses } from '../../services.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { FeedText } from './feed-worker.ts';
import { idsIn } from '../../shared/ids.ts';
import { listFed } from '../pages/page-queries.ts';

export type FeedService = ReturnType<typeof createFeedService>;

interface Parts extends Uses<'tags' | 'users' | 'series'> {
  origin: string;
}

/** Limit for the stored HTML in a feed; the newest article is always complete. */
const MAX_HTML_BYTES = MIB;
const MAX_CACHE_CHARACTERS = 8 * MIB;

/** Feeds of the newest public articles, with full texts up to MAX_HTML_BYTES; the same for every viewer. */
export function createFeedService({ db, tags, users, series, origin }: Parts) {
  const thread = createFeedThread();
  const texts = new LRUCache<string, string>({
    maxSize: MAX_CACHE_CHARACTERS,
    sizeCalculation: (html) => html.length + 1,
  });

  async function newest(scope: Scope): Promise<ListedArticle[]> {
    const total = await countArticles(db.read, scope);
    const part = { sort: 'create_time', offset: 0, limit: BOUNDS.feedItems, total } as const;
    return (await listArticles(db.read, scope, part)).map(toListed);
  }

  /** The newest articles, with the pages that the operator lists in feeds. */
  async function newestWithPages(): Promise<ListedArticle[]> {
    const fed = (await listFed(db.read, BOUNDS.feedItems)).map(toListed);
    return [...(await newest({ of: 'public' })), ...fed]
      .toSorted((one, other) => (one.item.create_time < other.item.create_time ? 1 : -1))
      .slice(0, BOUNDS.feedItems);
  }

  async function contentOf(
    kind: FeedKind,
    name: string,
  ): Promise<(Omit<Feed, 'items'> & { listed: ListedArticle[] }) | null> {
    if (kind === 'site') return { title: '', description: '', listed: await newestWithPages() };
    if (kind === 'user') {
      const user = await users.findShown(name);
      if (!user) return null;
      const { username: title, display_name, bio: description } = user;
      const named = display_name === undefined ? {} : { author_name: display_name };
      return { title, ...named, description, listed: await newest({ of: 'author', authorId: user._id }) };
    }
    if (kind === 'tag') {
      const tag = await tags.findVisible(name, null);
      if (!tag || tag.page_num === 0) return null;
      const listed = await newest({ of: 'tag', tagId: tag.id });
      return { title: tag.name, description: tag.description, listed };
    }
    const id = idField.safeParse(name);
    const found = id.success ? await series.find(id.data, null) : null;
    if (!found) return null;
    const rows = await queries.listNewestOfSeries(db.read, found.series._id, BOUNDS.feedItems);
    const { title, description } = found.series;
    return { title, description, listed: rows.map(toListed) };
  }

  async function textOf({ id, item }: ListedArticle, bytes: number): Promise<string> {
    // A newer renderer usually produces another length, so the length marks the rendering.
    const key = `${id} ${item.update_time} ${bytes}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const html = await queries.findPublicHtml(db.read, id);
    if (!html) return '';
    // An article whose HTML cannot be converted is listed with its summary.
    const text = await thread.ask({ html, address: `${origin}/detail/${id}` }).catch(() => '');
    texts.set(key, text);
    return text;
  }

  async function toItems(listed: readonly ListedArticle[]): Promise<FeedItem[]> {
    const bytes = await queries.measureHtml(db.read, idsIn(listed));
    const coverOf = ({ item: { cover } }: ListedArticle) => picturesIn({ content: '', cover })[0] ?? '';
    const files = await queries.measureFiles(db.read, listed.map(coverOf).filter(Boolean));
    const items: FeedItem[] = [];
    let sum = 0;
    for (const [index, each] of listed.entries()) {
      const size = bytes.get(each.id) ?? 0;
      sum += size;
      const html = index === 0 || sum <= MAX_HTML_BYTES ? await textOf(each, size) : '';
      const { content: _, ...item } = each.item;
      items.push({ ...item, summary: each.summary, html, cover_bytes: files.get(coverOf(each)) ?? 0 });
    }
    return items;
  }

  return {
    close: thread.close,

    /** Returns the feed of the site, a user (by name), a tag (by name) or a series (by id), or null. */
    async find(kind: FeedKind, name: string): Promise<Feed | null> {
      const found = await contentOf(kind, name);
      if (!found) return null;
      const { listed, ...rest } = found;
      return { ...rest, items: await toItems(listed) };
    },
  };
}

const SCRIPT = new URL('./feed-worker.ts', import.meta.url);
/** Processor time; the longest article of the corpus takes 30 ms. */
const TIMEOUT_MS = 3_000;

/** Creates a thread that converts the HTML of articles for feeds: 1.5 MB of list items take 0.5 s. */
const createFeedThread = () =>
  createReusedThread<FeedText, string>(SCRIPT, { idleMs: MINUTE_MS, answerMs: TIMEOUT_MS });
