import { z } from 'zod';
import { byId, nothing, open } from './call.ts';
import { Article } from '../entities.ts';
import { someText } from '../fields.ts';

const instant = z.iso.datetime();

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

export const discoveryCalls = {
  feed: open(
    'read',
    z
      .object({ kind: z.enum(FEED_KINDS).catch('site'), name: someText })
      // The site feed has no name; every other spelling would create another cached page.
      .transform(({ kind, name }) => ({ kind, name: kind === 'site' ? '' : name })),
    Feed,
  ),
  sitemap: open('read', nothing, z.object({ parts: z.array(SitemapPart) })),
  sitemapPart: open(
    'read',
    z.object({ kind, part: z.coerce.number('编号应为整数').int('编号应为整数').min(0).max(1e9) }),
    z.object({ entries: z.array(SitemapEntry) }),
  ),
  articleFile: open('read', byId, Article),
  formerPath: open('read', z.object({ address: someText }), FormerPath),
};
