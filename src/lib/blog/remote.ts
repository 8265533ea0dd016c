import { z } from 'zod';
import { Activity } from '../contract/calls/discovery-calls.ts';
import { BOUNDS, COMMENTS_SHOWN, PAGE_SIZE, type CommentOrder } from '../contract/rules/bounds.ts';
import type { CallName } from '../contract/calls/calls.ts';
import {
  Archive as RemoteArchive,
  ArticleNavigation,
  WorthReading,
} from '../contract/calls/navigation-calls.ts';
import {
  ArticleListItem,
  Comment,
  listOf,
  SearchResult,
  Series,
  SeriesDetail,
  Tag,
  type TitleItem,
  User,
  UserInfo,
} from '../contract/entities.ts';
import { apiDocument } from '../contract/openapi/document.ts';
import { amongNames } from '../contract/rules/names.ts';
import type { FormFields } from '../client/form.ts';
import type { Rendered } from '../markdown/render.ts';
import { toCard, toPage } from './article-card.ts';
import { createRemoteDiscovery, isPublic, RemoteArticle, type Read } from './remote-discovery.ts';
import type {
  ActivityItem,
  ArticleCard,
  ArticleTitle,
  Blog,
  CommentPage,
  Paged,
  SeriesPlace,
} from './blog.ts';

export interface RemoteParts {
  /**
   * Returns a call's data; null if the server refuses the call or does not know it. Throws UNAVAILABLE if the
   * call fails or the response violates the contract.
   */
  ask(name: CallName, fields: FormFields): Promise<unknown>;
  unavailable(): Error;
  /** Renders markdown for pages; never throws. */
  render(source: string): Promise<Pick<Rendered, 'html' | 'toc' | 'summary' | 'words'>>;
  /** Renders a comment to safe HTML; '' if it is shown as typed. */
  renderComment(source: string, find?: (name: string) => string | undefined): string;
  /** Returns the opening of an article in plain text; never throws. */
  summarise(source: string): string;
}

const RemoteItem = ArticleListItem.partial({ update_time: true, type: true });
type RemoteItem = z.infer<typeof RemoteItem>;
const RemoteUser = User.extend({ avatar: z.string().catch(''), bio: z.string().catch('') });

const RemoteUserInfo = RemoteUser.extend({ page_num: z.int() });
const RemoteSelf = UserInfo.pick({ role: true });

const Articles = listOf(RemoteItem);
const Found = SearchResult.extend({ result: z.array(RemoteItem) });
const Tags = listOf(Tag);
const Comments = z.array(Comment);
const Activities = listOf(Activity);
const SeriesList = listOf(Series);

const BySlug = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/), slug: z.string() });

const toTitle = ({ _id: id, title, address }: TitleItem): ArticleTitle => ({ id, title, address });

const NOTHING: Paged<ArticleCard> = { items: [], total: 0, page: 1, pageCount: 1 };

/** Safe HTML as the contract requires: text, character references and pairs of `<mark>`. */
const MARKED = /^(?:[^<>]|<mark>[^<>]*<\/mark>)*$/;

/**
 * Creates the blog of a server that implements CONTRACT.md. Data of calls that the server does not know is
 * omitted. If a call fails, the whole page is UNAVAILABLE: it would lack data that exists.
 */
export function createRemoteBlog({ ask, unavailable, render, renderComment, summarise }: RemoteParts): Blog {
  const read: Read = async (schema, name, fields) => {
    const data = await ask(name, fields);
    if (data === null) return null;
    const parsed = schema.safeParse(data);
    if (!parsed.success) throw Object.assign(unavailable(), { cause: parsed.error });
    return parsed.data;
  };

  /** Returns `data`. @throws UNAVAILABLE if it is null: the server refused what it must have */
  const required = <T>(data: T | null): T => {
    if (data === null) throw unavailable();
    return data;
  };

  /** Returns a page of a list, clamped to the last page; null if the call is refused. */
  async function readList<T>(
    schema: z.ZodType<{ result: T[]; total: number }>,
    name: CallName,
    fields: FormFields,
    page: number,
  ): Promise<Paged<T> | null> {
    const at = (number: number) => read(schema, name, { ...fields, page: number, pageSize: PAGE_SIZE });
    const list = await at(page);
    if (!list) return null;
    let { result, total } = list;
    const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
    // The contract requires clamping the page; some servers return an empty list instead.
    if (page > pageCount && result.length === 0 && total > 0)
      ({ result, total } = required(await at(pageCount)));
    return { items: result.slice(0, PAGE_SIZE), total, page: Math.min(page, pageCount), pageCount };
  }

  const commentsAt = async (articleId: string, page: number, order: CommentOrder): Promise<Comment[]> => {
    // Omits the default, for servers that do not know `sort`.
    const sort = order === 'newest' ? {} : { sort: order };
    const fields = { page_id: articleId, page, pageSize: COMMENTS_SHOWN, ...sort };
    return required(await read(Comments, 'articleComments', fields));
  };

  /**
   * Returns a page of comments, newest first. Servers without paging return all comments, without positions.
   */
  async function readComments(articleId: string, page: number): Promise<CommentPage> {
    const at = (number: number) => commentsAt(articleId, number, 'newest');
    const answer = await at(page);
    const end = answer.at(-1)?.position;
    // The last page may have a lower number than requested. Only the first page shows how many comments there
    // are.
    const [newest] = end === 1 && page > 1 ? await at(1) : answer;
    const before = end === 1 ? 0 : (page - 1) * COMMENTS_SHOWN;
    const total = end === undefined ? answer.length : before + (newest?.position ?? 0);
    const pageCount = Math.max(1, Math.ceil(total / COMMENTS_SHOWN));
    const shown = Math.min(page, pageCount);
    const items =
      end === undefined ? answer.slice((shown - 1) * COMMENTS_SHOWN, shown * COMMENTS_SHOWN) : answer;
    return { items: items.map(withOwnHtml), total, page: shown, pageCount, order: 'newest' };
  }

  /**
   * Returns a page of comments in an order whose positions ascend, if the server supports it, else newest
   * first.
   */
  async function readForward(
    articleId: string,
    page: number,
    order: 'oldest' | 'conversation',
  ): Promise<CommentPage> {
    const [answer, [newest]] = await Promise.all([
      commentsAt(articleId, page, order),
      commentsAt(articleId, 1, 'newest'),
    ]);
    const first = answer[0]?.position;
    if (first === undefined || first > (answer.at(-1)?.position ?? 0)) return readComments(articleId, page);
    const total = newest?.position ?? answer.length;
    const pageCount = Math.max(1, Math.ceil(total / COMMENTS_SHOWN));
    const shown = Math.min(page, pageCount);
    return { items: answer.map(withOwnHtml), total, page: shown, pageCount, order };
  }

  /**
   * Renders a comment's HTML here, because a remote server's HTML is not trusted. Comments without HTML stay
   * plain text.
   */
  const withOwnHtml = (comment: Comment): Comment => {
    const { content, html, mentions } = comment;
    if (html === undefined) return comment;
    return { ...comment, html: renderComment(content, mentions && amongNames(mentions)) };
  };

  const toListed = ({ content, highlight, ...item }: RemoteItem): ArticleCard => ({
    ...toCard({ ...item, content }, summarise(content)),
    ...(highlight && Object.values(highlight).every((html) => MARKED.test(html)) ? { highlight } : {}),
  });
  /** Keeps public articles only, because lists are shared by all readers, whatever the server returns. */
  const toPublic = (items: readonly RemoteItem[]): ArticleCard[] => items.filter(isPublic).map(toListed);
  const readCards = async (
    name: CallName,
    fields: FormFields,
    page: number,
    schema: z.ZodType<z.infer<typeof Articles>> = Articles,
  ): Promise<Paged<ArticleCard> | null> => {
    const list = await readList(schema, name, fields, page);
    return list && { ...list, items: toPublic(list.items) };
  };
  const listNewest = async (): Promise<ArticleCard[]> => {
    const fields = { type: '', content: '', status: 'normal', secret: false, sort: 'create_time', page: 1 };
    const list = await read(Articles, 'articleList', { ...fields, pageSize: BOUNDS.pageSize });
    return toPublic(required(list).result);
  };
  /** Returns a user's pinned articles. Servers without pinning return others, which are filtered out. */
  const readPinned = async (username: string): Promise<ArticleCard[]> => {
    const fields = { type: 'create_user', content: username, status: 'normal', pinned: true };
    return required(await readCards('articleList', fields, 1)).items.filter(({ pinned }) => pinned);
  };
  const placeIn = async (seriesId: string, articleId: string): Promise<SeriesPlace | null> => {
    const found = await read(SeriesDetail, 'seriesDetail', { id: seriesId });
    if (!found) return null;
    const seen = found.articles.filter(isPublic);
    const articles = seen.map(toTitle);
    const number = articles.findIndex(({ id }) => id === articleId) + 1;
    return { id: seriesId, title: found.title, number, articles };
  };
  const readNavigation = async (id: string) => {
    const found = await read(ArticleNavigation, 'articleWays', { id });
    if (!found) return null;
    const { previous, next, related, author } = found;
    return {
      previous: previous && toTitle(previous),
      next: next && toTitle(next),
      related: toPublic(related),
      authorAvatar: author.avatar,
      writer: { bio: author.bio, thanks: author.thanks ?? '' },
    };
  };
  const readTitles = async (of: FormFields, page: number) => {
    const pageSize = BOUNDS.archivePageSize;
    const found = await read(RemoteArchive, 'archive', { ...of, page, pageSize });
    if (!found) return null;
    const { result: items, total, months } = found;
    const pageCount = Math.max(1, Math.ceil(total / pageSize));
    return { months, articles: { items, total, page: Math.min(page, pageCount), pageCount } };
  };
  const listBy = (type: '' | 'tag' | 'create_user', content: string, page: number) =>
    readCards('articleList', { type, content, status: 'normal', secret: false, sort: 'create_time' }, page);

  const blog: Omit<Blog, 'listNewest' | keyof ReturnType<typeof createRemoteDiscovery>> = {
    listArticles: async (page) => required(await listBy('', '', page)),
    async searchArticles(keywords, page, { author = '', tag = '', byTime = false }) {
      // Omits unset filters, for servers that do not know them; such servers ignore those that are set.
      const fields = {
        details: true,
        ...(author && { author }),
        ...(tag && { tag }),
        ...(byTime && { order: 'time' }),
      };
      let facts: Partial<Omit<z.infer<typeof Found>, 'result' | 'total'>> = {};
      const schema = Found.transform(({ result, total, ...rest }) => {
        facts = rest;
        return { result, total };
      });
      // A server may refuse keywords, for example because they are too long.
      const list = (await readCards('searchArticles', { keywords, ...fields }, page, schema)) ?? NOTHING;
      const { exact = null, authors = [], tags: under = [], similar = [], ...others } = facts;
      const { author_names: authorNames, ...named } = others;
      return { ...list, exact, authors, authorNames, tags: under, similar, named };
    },
    async readArticle(id) {
      const article = await read(RemoteArticle, 'articleDetail', { id });
      if (!article || article.status === 'cancel') return null;
      const [page, seriesPlace, navigation] = await Promise.all([
        render(article.content).then((rendered) => toPage(article, rendered)),
        article.series ? placeIn(article.series, id) : null,
        isPublic(article) ? readNavigation(id) : null,
      ]);
      return { ...page, seriesPlace, ...navigation };
    },
    listComments: (articleId, page, order) =>
      order === 'newest' ? readComments(articleId, page) : readForward(articleId, page, order),
    // The thread finds the comment in the browser.
    findCommentPlace: () => Promise.resolve(null),
    findBySlug: (slug) => read(BySlug, 'articleAddress', { slug }),
    async readWorthReading() {
      const found = await read(WorthReading, 'worthReading', {});
      if (!found) return { pinned: [], mostRead: [], month: null };
      return { pinned: toPublic(found.pinned), mostRead: toPublic(found.read), month: found.month };
    },
    readArchive: (of, page) => readTitles({ ...of }, page),
    async readAuthorArchive(username, page) {
      const [user, found] = await Promise.all([
        read(RemoteUser, 'userDetail', { username }),
        readTitles({ username }, page),
      ]);
      return user && found && { user, articles: found.articles };
    },
    listTags: async (page) => required(await readList(Tags, 'tagList', { used: true }, page)),
    async readTag(name, page) {
      const [tag, articles] = await Promise.all([
        read(Tag, 'tagDetail', { name }),
        listBy('tag', name, page),
      ]);
      return tag && { tag, articles: required(articles) };
    },
    async readProfile(username, page) {
      const [user, list] = await Promise.all([
        read(RemoteUser, 'userDetail', { username }),
        listBy('create_user', username, page),
      ]);
      if (!user) return null;
      const articles = required(list);
      const isFirst = articles.page === 1;
      const [pinned, series] = isFirst
        ? await Promise.all([readPinned(username), read(SeriesList, 'seriesList', { username })])
        : [[], null];
      return { user, articles, pinned, series: series?.result ?? [] };
    },
    async readActivities(username, page) {
      const [user, list] = await Promise.all([
        read(RemoteUserInfo, 'getUserInfo', { username }),
        readList(Activities, 'activityList', { create_user: username }, page),
      ]);
      if (!user || !list) return null;
      const items = list.items.flatMap((activity): ActivityItem[] => {
        if (activity.type === 'comment') return [{ type: 'comment', comment: withOwnHtml(activity.content) }];
        return toPublic([activity.content]).map((article) => ({ type: 'page', article }));
      });
      return { user, articleCount: user.page_num, activities: { ...list, items } };
    },
    async readSeries(id) {
      const found = await read(SeriesDetail, 'seriesDetail', { id });
      if (!found) return null;
      const { articles, ...series } = found;
      return { series, articles: articles.map((article) => toCard(article, '')) };
    },
    async readRole() {
      const self = await read(RemoteSelf, 'getUserInfo', { username: '' });
      return self && (self.role ?? 'author');
    },
    describeApi: apiDocument,
  };
  return { ...blog, listNewest, ...createRemoteDiscovery(read, blog) };
}
