import { z } from 'zod';
import { byId, open, read } from './call.ts';
import { Article, ArticleListItem, Comment, listOf, SearchResult, Suggestions } from '../entities.ts';
import { absentField, booleanField, keywordsField, pageField, pagingFields, someText } from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';

export type ActivityKind = 'page' | 'comment';

const instant = z.iso.datetime();

const activity = {
  _id: z.string(),
  create_user: z.string(),
  create_time: instant,
  update_time: instant,
  /** The article's or comment's id. */
  id: z.string(),
};

/** A public article or a comment under one; `content` is the article as in lists, or the comment. */
export const Activity = z.discriminatedUnion('type', [
  z.object({ ...activity, type: z.literal('page'), content: ArticleListItem }),
  z.object({ ...activity, type: z.literal('comment'), content: Comment }),
]);
export type Activity = z.infer<typeof Activity>;

/** An absent or unknown type stands for all kinds, an absent user for all users. */
const scope = { type: z.enum(['', 'page', 'comment']).catch(''), create_user: someText };

/** Kinds of feed; `name` is a username, tag name or series id. */
const FEED_KINDS = ['site', 'user', 'tag', 'series'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export const FeedItem = Article.omit({ content: true }).extend({
  summary: z.string(),
  /** The whole text with absolute addresses; empty if the feed would become too large. */
  html: z.string(),
  /** Bytes of the cover's file; 0 if there is no cover. */
  cover_bytes: z.int(),
});
export type FeedItem = z.infer<typeof FeedItem>;

export const Feed = z.object({
  /** Name of the user, tag or series; empty for the site. */
  title: z.string(),
  /** Display name of the user; absent without one. */
  author_name: z.string().optional(),
  description: z.string(),
  items: z.array(FeedItem),
});
export type Feed = z.infer<typeof Feed>;

const SITEMAP_KINDS = ['articles', 'users', 'tags', 'series'] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];
const kind = z.enum(SITEMAP_KINDS, '没有这种网站地图');

/** One sitemap file; `update_time` is its last change, if known. */
export const SitemapPart = z.object({ kind, part: z.int(), update_time: instant.optional() });
export type SitemapPart = z.infer<typeof SitemapPart>;

/** An entry: the id of an article or series, or the name of a user or tag. */
export const SitemapEntry = z.object({ name: z.string(), update_time: instant.optional() });
export type SitemapEntry = z.infer<typeof SitemapEntry>;

/** Public article for an address of the blog it was imported from. */
export const FormerPath = byId;

export const searchCalls = {
  searchArticles: read(open(), 'POST /api/page/searchpage', '搜索公开的文章', {
    description: 'details 为 true 时，回答里还有列表之后的各项。',
    input: z.object({
      keywords: keywordsField.default(''),
      author: someText,
      tag: someText,
      order: z.enum(['', 'time']).catch(''),
      /** Whether to return the additional fields of `SearchResult`. */
      details: booleanField.catch(false),
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
      .object({ kind: z.enum(FEED_KINDS).catch('site'), name: someText })
      // The site feed has no name; every other spelling would create another cached page.
      .transform(({ kind, name }) => ({ kind, name: kind === 'site' ? '' : name })),
    output: Feed,
    refusals: ['USER_NOT_FOUND', 'TAG_NOT_FOUND', 'SERIES_NOT_FOUND'],
  }),
  sitemap: read(open(), 'POST /api/page/sitemap', '网站地图有哪些文件', {
    output: z.object({ parts: z.array(SitemapPart) }),
  }),
  sitemapPart: read(open(), 'POST /api/page/sitemap/part', '网站地图的一个文件，最多 1,000 条', {
    input: z.object({ kind, part: z.coerce.number('编号应为整数').int('编号应为整数').min(0).max(1e9) }),
    output: z.object({ entries: z.array(SitemapEntry) }),
  }),
  formerPath: read(open(), 'POST /api/page/former', '旧网址所指的公开文章', {
    input: z.object({ address: someText }),
    output: FormerPath,
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
};
