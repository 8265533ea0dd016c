import { z } from 'zod';
import type { FormFields } from '../client/form.ts';
import { BOUNDS } from '../contract/rules/bounds.ts';
import type { CallName } from '../contract/calls/calls.ts';
import {
  Feed,
  FormerPath,
  SitemapEntry,
  SitemapPart,
  type FeedKind,
} from '../contract/calls/discovery-calls.ts';
import { FriendCircle } from '../contract/calls/friend-calls.ts';
import { PublishedPage } from '../contract/calls/page-calls.ts';
import { Article, Friend } from '../contract/entities.ts';
import { toFeedArticle } from './article-card.ts';
import type { ArticleCard, Blog } from './blog.ts';

const SitemapParts = z.object({ parts: z.array(SitemapPart) });
const Friends = z.object({ friends: z.array(Friend) });
const Pages = z.object({ pages: z.array(PublishedPage) });
const SitemapEntries = z.object({ entries: z.array(SitemapEntry) });
/** Some servers omit an article's `update_time` or `type`. */
export const RemoteArticle = Article.partial({ update_time: true, type: true });

/** Returns a call's data; null if the server refuses the call or does not know it. Throws if it fails. */
export type Read = <T extends z.ZodType>(
  schema: T,
  name: CallName,
  fields: FormFields,
) => Promise<z.infer<T> | null>;

export const isPublic = ({ status, secret }: Pick<Article, 'status' | 'secret'>): boolean =>
  status === 'normal' && !secret;

type Discovery = Pick<
  Blog,
  | 'readFeed'
  | 'listSitemaps'
  | 'readSitemap'
  | 'readSource'
  | 'findFormerPath'
  | 'listPages'
  | 'listFriends'
  | 'readCircle'
>;

/**
 * Creates the feeds, sitemaps and article sources of a remote blog. A server without these calls has no
 * sitemap, and its feeds have no full texts.
 */
export function createRemoteDiscovery(
  read: Read,
  blog: Pick<Blog, 'listArticles' | 'readTag' | 'readProfile' | 'readSeries'>,
): Discovery {
  async function feedOfCards(kind: FeedKind, name: string) {
    const feed = (title: string, description: string, cards: ArticleCard[]) => ({
      title,
      description,
      items: cards.map((card) => ({ ...card, html: '', coverBytes: 0 })),
    });
    if (kind === 'site') return feed('', '', (await blog.listArticles(1)).items);
    if (kind === 'tag') {
      const found = await blog.readTag(name, 1);
      return found && feed(found.tag.name, found.tag.description, found.articles.items);
    }
    if (kind === 'user') {
      const found = await blog.readProfile(name, 1);
      return found && feed(found.user.username, found.user.bio, found.articles.items);
    }
    const found = await blog.readSeries(name);
    const seen = found?.articles.filter(({ isDraft, isSecret }) => !isDraft && !isSecret) ?? [];
    if (!found || seen.length === 0) return null;
    const newest = seen.toSorted((one, other) => (one.createTime < other.createTime ? 1 : -1));
    return feed(found.series.title, found.series.description, newest.slice(0, BOUNDS.feedItems));
  }

  return {
    async readFeed(kind, name) {
      const found = await read(Feed, 'feed', { kind, name });
      if (!found) return feedOfCards(kind, name);
      return { ...found, items: found.items.filter(isPublic).map(toFeedArticle) };
    },
    listSitemaps: async () => (await read(SitemapParts, 'sitemap', {}))?.parts ?? [],
    readSitemap: async (kind, part) =>
      (await read(SitemapEntries, 'sitemapPart', { kind, part }))?.entries ?? [],
    async readSource(id) {
      const found =
        (await read(Article, 'articleFile', { id })) ?? (await read(RemoteArticle, 'articleDetail', { id }));
      if (!found || !isPublic(found)) return null;
      return { ...found, update_time: found.update_time ?? found.create_time, type: found.type ?? '' };
    },
    listPages: async () => (await read(Pages, 'pageTree', {}))?.pages ?? [],
    listFriends: async () => (await read(Friends, 'friendList', {}))?.friends ?? null,
    readCircle: (before) => read(FriendCircle, 'friendCircle', before === undefined ? {} : { before }),
    findFormerPath: (address) => read(FormerPath, 'formerPath', { address }),
  };
}
