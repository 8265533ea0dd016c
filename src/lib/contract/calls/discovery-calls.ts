import { z } from 'zod';
import { byId, open, read } from './call.ts';
import { Article, ArticleListItem, Comment, listOf, SearchResult, Suggestions } from '../entities.ts';
import { absentField, booleanField, keywordsField, pageField, pagingFields, someText } from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { choice, instant, int, list, string } from '../titled.ts';

export type ActivityKind = 'page' | 'comment';

const activity = {
  _id: string('编号'),
  create_user: string('作者的用户名'),
  create_time: instant('新建的时间'),
  update_time: instant('修改的时间'),
  id: string('文章或评论的编号'),
};

/** A public article or a comment under one; `content` is the article as in lists, or the comment. */
export const Activity = z.discriminatedUnion('type', [
  z.object({ ...activity, type: z.literal('page'), content: ArticleListItem.meta({ title: '文章或评论' }) }),
  z.object({ ...activity, type: z.literal('comment'), content: Comment.meta({ title: '文章或评论' }) }),
]);
export type Activity = z.infer<typeof Activity>;

/** An absent or unknown type stands for all kinds, an absent user for all users. */
const scope = {
  type: choice('类型', ['', 'page', 'comment']).catch(''),
  create_user: someText('作者的用户名'),
};

/** Kinds of feed; `name` is a username, tag name or series id. */
const FEED_KINDS = ['site', 'user', 'tag', 'series'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export const FeedItem = Article.omit({ content: true }).extend({
  summary: string('开头的文字'),
  /** The whole text with absolute addresses; empty if the feed would become too large. */
  html: string('安全的 HTML'),
  /** Bytes of the cover's file; 0 if there is no cover. */
  cover_bytes: int('封面的字节数'),
});
export type FeedItem = z.infer<typeof FeedItem>;

export const Feed = z.object({
  /** Name of the user, tag or series; empty for the site. */
  title: string('标题'),
  author_name: string('作者的显示名，没有就不出现').optional(),
  description: string('摘要'),
  items: list('文章', FeedItem),
});
export type Feed = z.infer<typeof Feed>;

const SITEMAP_KINDS = ['articles', 'users', 'tags', 'series'] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];
const kind = z.enum(SITEMAP_KINDS, '没有这种网站地图').meta({ title: '种类' });

/** One sitemap file; `update_time` is its last change, if known. */
export const SitemapPart = z.object({
  kind,
  part: int('第几个文件，从 0 起'),
  update_time: instant('修改的时间').optional(),
});
export type SitemapPart = z.infer<typeof SitemapPart>;

/** An entry: the id of an article or series, or the name of a user or tag; an article's `address`. */
export const SitemapEntry = z.object({
  name: string('名字'),
  address: Article.shape.address,
  update_time: instant('修改的时间').optional(),
});
export type SitemapEntry = z.infer<typeof SitemapEntry>;

/** Public article for an address of the blog it was imported from. */
export const FormerPath = byId.extend({ address: Article.shape.address });

export const searchCalls = {
  searchArticles: read(open(), 'POST /api/page/searchpage', '搜索公开的文章', {
    description: 'details 为 true 时，回答里还有列表之后的各项。',
    input: z.object({
      keywords: keywordsField.default(''),
      author: someText('作者'),
      tag: someText('标签'),
      order: choice('顺序，time 是新的在前', ['', 'time']).catch(''),
      /** Whether to return the additional fields of `SearchResult`. */
      details: booleanField('要不要列表之后的各项').catch(false),
      page: pageField,
      pageSize: absentField(pagingFields.pageSize.default(BOUNDS.pageSize)),
    }),
    output: SearchResult,
  }),
  suggest: read(open(), 'POST /api/page/suggest', '输入时的搜索建议', {
    input: z.object({ q: keywordsField.default('') }),
    output: Suggestions,
    isOptional: true,
  }),
};

export const feedCalls = {
  activityList: read(open(), 'POST /api/activity/getlist', '动态：公开的文章和评论', {
    description: '全站的，或者某位用户的；新的在前，最多各 10,000 条。',
    input: z.object({ ...scope, ...pagingFields }),
    output: listOf(Activity),
    isOptional: true,
  }),
  activityNum: read(open(), 'POST /api/activity/getnum', '动态的条数', {
    input: z.object(scope),
    output: z.int(),
  }),
  feed: read(open(), 'POST /api/page/feed', '订阅源的内容：最新 20 篇公开的文章', {
    input: z
      .object({
        kind: choice('种类', FEED_KINDS).catch('site'),
        name: someText('用户名、标签名或专栏的编号'),
      })
      // The site feed has no name; every other spelling would create another cached page.
      .transform(({ kind, name }) => ({ kind, name: kind === 'site' ? '' : name })),
    output: Feed,
    refusals: ['USER_NOT_FOUND', 'TAG_NOT_FOUND', 'SERIES_NOT_FOUND'],
  }),
  sitemap: read(open(), 'POST /api/page/sitemap', '网站地图有哪些文件', {
    output: z.object({ parts: list('文件', SitemapPart) }),
  }),
  sitemapPart: read(open(), 'POST /api/page/sitemap/part', '网站地图的一个文件，最多 1,000 条', {
    input: z.object({
      kind,
      part: z.coerce
        .number('编号应为整数')
        .int('编号应为整数')
        .min(0)
        .max(1e9)
        .meta({ title: '第几个文件，从 0 起' }),
    }),
    output: z.object({ entries: list('条目', SitemapEntry) }),
  }),
  formerPath: read(open(), 'POST /api/page/former', '旧网址所指的公开文章', {
    input: z.object({ address: someText('地址') }),
    output: FormerPath,
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
};
