import { z } from 'zod';
import { BOUNDS, COMMENTS_SHOWN, PAGE_SIZE, type CommentOrder } from '../contract/bounds.ts';
import type { CallName } from '../contract/calls.ts';
import { Archive as RemoteArchive, ArticleWays, WorthReading } from '../contract/ways-calls.ts';
import {
  Article,
  ArticleListItem,
  Comment,
  listOf,
  SearchResult,
  Series,
  SeriesDetail,
  Tag,
  User,
  UserInfo,
} from '../contract/entities.ts';
import { amongNames } from '../contract/names.ts';
import type { FormFields } from '../client/form.ts';
import type { Rendered } from '../markdown/render.ts';
import { toCard, toPage } from './article-card.ts';
import { createRemoteDiscovery } from './remote-discovery.ts';
import type { ArchiveEntry, ArticleCard, Blog, CommentPage, Paged, SeriesPlace } from './blog.ts';

/** What the blog of another server is read through. */
export interface RemoteParts {
  /** A call's data, null where the server refuses. Throws UNAVAILABLE without an answer of the contract. */
  ask(name: CallName, fields: FormFields): Promise<unknown>;
  /** What is thrown for data that is none of the contract's. */
  unavailable(): Error;
  /** Markdown as pages show it; never throws. */
  render(source: string): Promise<Pick<Rendered, 'html' | 'toc' | 'summary' | 'words'>>;
  /** A comment as safe HTML, '' where it is shown as it is. */
  renderComment(source: string, find?: (name: string) => string | undefined): string;
  /** The opening of an article in plain text; never throws. */
  summarise(source: string): string;
}

// Not every server tells when an article was last changed, or knows types.
const RemoteArticle = Article.partial({ update_time: true, type: true });
const RemoteItem = ArticleListItem.partial({ update_time: true, type: true });
type RemoteItem = z.infer<typeof RemoteItem>;
const RemoteUser = User.extend({ avatar: z.string().catch(''), bio: z.string().catch('') });

const RemoteSelf = UserInfo.pick({ role: true });

const Articles = listOf(RemoteItem);
const Found = SearchResult.extend({ result: z.array(RemoteItem) });
const Tags = listOf(Tag);
const Comments = z.array(Comment);
const SeriesList = listOf(Series);

const isPublic = ({ status, secret }: Pick<RemoteItem, 'status' | 'secret'>) =>
  status === 'normal' && !secret;

/** Safe HTML as the contract promises it: text, character references and whole pairs of `<mark>`. */
const MARKED = /^(?:[^<>]|<mark>[^<>]*<\/mark>)*$/;

/** The blog of a server that speaks CONTRACT.md; without what a server of fewer calls does not tell. */
export function createRemoteBlog({ ask, unavailable, render, renderComment, summarise }: RemoteParts): Blog {
  /** What a call answers, or null where it refuses. */
  async function read<T extends z.ZodType>(
    schema: T,
    name: CallName,
    fields: FormFields,
  ): Promise<z.infer<T> | null> {
    const data = await ask(name, fields);
    if (data === null) return null;
    const parsed = schema.safeParse(data);
    if (!parsed.success) throw Object.assign(unavailable(), { cause: parsed.error });
    return parsed.data;
  }

  /** What a call answers that not every server knows, or null: one that does not may answer with anything. */
  const readExtra = <T extends z.ZodType>(schema: T, name: CallName, fields: FormFields) =>
    read(schema, name, fields).catch(() => null);

  /** A page of a list, the last one where `page` is beyond it; an empty list where the call is refused. */
  async function readList<T>(
    schema: z.ZodType<{ result: T[]; total: number }>,
    name: CallName,
    fields: FormFields,
    page: number,
  ): Promise<Paged<T>> {
    const at = async (number: number) =>
      (await read(schema, name, { ...fields, page: number, pageSize: PAGE_SIZE })) ?? {
        result: [],
        total: 0,
      };
    let { result, total } = await at(page);
    const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
    // Some servers clamp the page, as the contract says; some answer with nothing.
    if (page > pageCount && result.length === 0 && total > 0) ({ result, total } = await at(pageCount));
    return { items: result.slice(0, PAGE_SIZE), total, page: Math.min(page, pageCount), pageCount };
  }

  const commentsAt = async (articleId: string, page: number, order: CommentOrder): Promise<Comment[]> => {
    // A server that knows no orders is asked as it always was.
    const sort = order === 'newest' ? {} : { sort: order };
    const fields = { page_id: articleId, page, pageSize: COMMENTS_SHOWN, ...sort };
    return (await read(Comments, 'articleComments', fields)) ?? [];
  };

  /**
   * A page of comments, newest first. A server that knows no pages of them answers all, without positions.
   */
  async function readComments(articleId: string, page: number): Promise<CommentPage> {
    const at = (number: number) => commentsAt(articleId, number, 'newest');
    const answer = await at(page);
    const end = answer.at(-1)?.position;
    // The last page may be that of an earlier number than was asked for; only the first tells how many
    // comments there are.
    const [newest] = end === 1 && page > 1 ? await at(1) : answer;
    const before = end === 1 ? 0 : (page - 1) * COMMENTS_SHOWN;
    const total = end === undefined ? answer.length : before + (newest?.position ?? 0);
    const pageCount = Math.max(1, Math.ceil(total / COMMENTS_SHOWN));
    const shown = Math.min(page, pageCount);
    const items =
      end === undefined ? answer.slice((shown - 1) * COMMENTS_SHOWN, shown * COMMENTS_SHOWN) : answer;
    return { items: items.map(withOwnHtml), total, page: shown, pageCount, order: 'newest' };
  }

  /** A page of comments, oldest first where the server can do that: others go on as if nobody had asked. */
  async function readOldest(articleId: string, page: number): Promise<CommentPage> {
    const [answer, [newest]] = await Promise.all([
      commentsAt(articleId, page, 'oldest'),
      commentsAt(articleId, 1, 'newest'),
    ]);
    const first = answer[0]?.position;
    if (first === undefined || first > (answer.at(-1)?.position ?? 0)) return readComments(articleId, page);
    const total = newest?.position ?? answer.length;
    const pageCount = Math.max(1, Math.ceil(total / COMMENTS_SHOWN));
    const shown = Math.min(page, pageCount);
    return { items: answer.map(withOwnHtml), total, page: shown, pageCount, order: 'oldest' };
  }

  /** HTML of our own: that of a server is shown nowhere in a page. One without shows text here as there. */
  const withOwnHtml = (comment: Comment): Comment => {
    const { content, html, mentions } = comment;
    if (html === undefined) return comment;
    return { ...comment, html: renderComment(content, mentions && amongNames(mentions)) };
  };

  const toListed = ({ content, highlight, ...item }: RemoteItem): ArticleCard => ({
    ...toCard({ ...item, content }, summarise(content)),
    ...(highlight && Object.values(highlight).every((html) => MARKED.test(html)) ? { highlight } : {}),
  });
  /** Pages of lists are everybody's, whatever a server puts into them. */
  const toPublic = (items: readonly RemoteItem[]): ArticleCard[] => items.filter(isPublic).map(toListed);
  const readCards = async (
    name: CallName,
    fields: FormFields,
    page: number,
    schema: z.ZodType<z.infer<typeof Articles>> = Articles,
  ): Promise<Paged<ArticleCard>> => {
    const list = await readList(schema, name, fields, page);
    return { ...list, items: toPublic(list.items) };
  };
  /** As many of the newest as a server gives at once. */
  const listNewest = async (): Promise<ArticleCard[]> => {
    const fields = { type: '', content: '', status: 'normal', secret: false, sort: 'create_time', page: 1 };
    const list = await read(Articles, 'articleList', { ...fields, pageSize: BOUNDS.pageSize });
    return toPublic(list?.result ?? []);
  };
  /** Those of a user that stand first; a server that knows none lists others. */
  const readPinned = async (username: string): Promise<ArticleCard[]> => {
    const fields = { type: 'create_user', content: username, status: 'normal', pinned: true };
    return (await readCards('articleList', fields, 1)).items.filter(({ pinned }) => pinned);
  };
  /** Where an article stands in its series. */
  const placeIn = async (seriesId: string, articleId: string): Promise<SeriesPlace | null> => {
    const found = await readExtra(SeriesDetail, 'seriesDetail', { id: seriesId });
    if (!found) return null;
    const seen = found.articles.filter(isPublic);
    const articles = seen.map(({ _id, title }) => ({ id: _id, title }));
    const number = articles.findIndex(({ id }) => id === articleId) + 1;
    return { id: seriesId, title: found.title, number, articles };
  };
  /** Where to go on from an article. */
  const readWays = async (id: string) => {
    const found = await readExtra(ArticleWays, 'articleWays', { id });
    if (!found) return null;
    const { previous, next, related, author } = found;
    return {
      previous: previous && { id: previous._id, title: previous.title },
      next: next && { id: next._id, title: next.title },
      related: toPublic(related),
      authorAvatar: author.avatar,
      writer: { bio: author.bio },
    };
  };
  /** A page of an archive, with the site's months. */
  const readTitles = async (of: FormFields, page: number) => {
    const pageSize = BOUNDS.archivePageSize;
    const found = await readExtra(RemoteArchive, 'archive', { ...of, page, pageSize });
    if (!found) return null;
    const items = found.result.map(({ _id, title, create_user, create_time }): ArchiveEntry => {
      return { id: _id, title, author: create_user, createTime: create_time };
    });
    const pageCount = Math.max(1, Math.ceil(found.total / pageSize));
    const articles = { items, total: found.total, page: Math.min(page, pageCount), pageCount };
    const months = found.months.map(({ page_num: count, ...month }) => ({ ...month, count }));
    return { months, articles };
  };
  const listBy = (type: '' | 'tag' | 'create_user', content: string, page: number) =>
    readCards('articleList', { type, content, status: 'normal', secret: false, sort: 'create_time' }, page);

  const blog: Omit<Blog, 'listNewest' | keyof ReturnType<typeof createRemoteDiscovery>> = {
    listArticles: (page) => listBy('', '', page),
    async searchArticles(keywords, page, { author = '', tag = '', byTime = false }) {
      // A server that knows no narrowing is asked as it always was, and finds what it finds.
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
      const list = await readCards('searchArticles', { keywords, ...fields }, page, schema);
      const { exact = null, authors = [], tags: under = [], similar = [], ...named } = facts;
      return { ...list, exact, authors, tags: under, similar, named };
    },
    async readArticle(id) {
      const article = await read(RemoteArticle, 'articleDetail', { id });
      if (!article || article.status === 'cancel') return null;
      const isPublic = article.status === 'normal' && !article.secret;
      const [page, seriesPlace, ways] = await Promise.all([
        render(article.content).then((rendered) => toPage(article, rendered)),
        article.series ? placeIn(article.series, id) : null,
        isPublic ? readWays(id) : null,
      ]);
      return { ...page, seriesPlace, ...ways };
    },
    listComments: (articleId, page, order) =>
      (order === 'oldest' ? readOldest : readComments)(articleId, page),
    // The thread in the browser finds it.
    findCommentPage: () => Promise.resolve(null),
    async readWorthReading() {
      const found = await readExtra(WorthReading, 'worthReading', {});
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
    listTags: (page) => readList(Tags, 'tagList', { used: true }, page),
    async readTag(name, page) {
      const [tag, articles] = await Promise.all([
        read(Tag, 'tagDetail', { name }),
        listBy('tag', name, page),
      ]);
      return tag && { tag, articles };
    },
    async readProfile(username, page) {
      const [user, articles] = await Promise.all([
        read(RemoteUser, 'userDetail', { username }),
        listBy('create_user', username, page),
      ]);
      if (!user) return null;
      const isFirst = articles.page === 1;
      const [pinned, series] = isFirst
        ? await Promise.all([readPinned(username), readExtra(SeriesList, 'seriesList', { username })])
        : [[], null];
      return { user, articles, pinned, series: series?.result ?? [] };
    },
    async readSeries(id) {
      const found = await readExtra(SeriesDetail, 'seriesDetail', { id });
      if (!found) return null;
      const { articles, ...series } = found;
      return { series, articles: articles.map((article) => toCard(article, '')) };
    },
    async readRole() {
      const self = await readExtra(RemoteSelf, 'getUserInfo', { username: '' });
      return self && (self.role ?? 'author');
    },
  };
  return { ...blog, listNewest, ...createRemoteDiscovery({ read, readExtra }, blog) };
}
