import { z } from 'zod';
import { open } from './call.ts';
import { Article } from './entities.ts';
import { idField, someText } from './fields.ts';
import { routes } from './routes.ts';

const instant = z.iso.datetime();

/** What a feed is of; `name` names a user or tag, for a series it is its id. */
export const FEED_KINDS = ['site', 'user', 'tag', 'series'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** A public article in a feed. */
export const FeedItem = Article.omit({ content: true }).extend({
  /** The opening of its text, plain. */
  summary: z.string(),
  /** The whole text with absolute addresses, empty where the feed would become too large. */
  html: z.string(),
  /** Bytes of the cover's file, 0 without one. */
  cover_bytes: z.int(),
});
export type FeedItem = z.infer<typeof FeedItem>;

/** What is newest of the site, a user, a tag or a series. */
export const Feed = z.object({
  /** Name of the user, tag or series; empty for the site. */
  title: z.string(),
  description: z.string(),
  items: z.array(FeedItem),
});
export type Feed = z.infer<typeof Feed>;

/** What sitemaps name, each kind in files of its own. */
export const SITEMAP_KINDS = ['articles', 'users', 'tags', 'series'] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];
const kind = z.enum(SITEMAP_KINDS, '没有这种网站地图');

/** One file of a sitemap; `update_time` is when something in it changed last, where that is known. */
export const SitemapPart = z.object({ kind, part: z.int(), update_time: instant.optional() });
export type SitemapPart = z.infer<typeof SitemapPart>;

/** What a file of a sitemap names: an article or series by its id, a user or tag by name. */
export const SitemapEntry = z.object({ name: z.string(), update_time: instant.optional() });
export type SitemapEntry = z.infer<typeof SitemapEntry>;

/** The public article that stood at an address on its old site. */
export const FormerPath = z.object({ id: idField });

/** Calls for feed readers, search engines and other programs that discover what there is. */
export const discoveryCalls = {
  feed: open(
    'read',
    routes.feed,
    z
      .object({ kind: z.enum(FEED_KINDS).catch('site'), name: someText })
      // The site's has no name; each other spelling of it would be made and kept apart.
      .transform(({ kind, name }) => ({ kind, name: kind === 'site' ? '' : name })),
    Feed,
  ),
  sitemap: open('read', routes.sitemap, z.object({}), z.object({ parts: z.array(SitemapPart) })),
  sitemapPart: open(
    'read',
    routes.sitemapPart,
    z.object({ kind, part: z.coerce.number('编号应为整数').int('编号应为整数').min(0).max(1e9) }),
    z.object({ entries: z.array(SitemapEntry) }),
  ),
  articleFile: open('read', routes.articleFile, z.object({ id: idField }), Article),
  formerPath: open('read', routes.formerPath, z.object({ address: someText }), FormerPath),
};
