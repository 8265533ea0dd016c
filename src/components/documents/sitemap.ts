import type { Archive, Site } from '../../lib/blog/blog.ts';
import type { PublishedPage } from '../../lib/contract/calls/page-calls.ts';
import type { SitemapEntry, SitemapKind, SitemapPart } from '../../lib/contract/calls/discovery-calls.ts';
import { sitePages } from '../../lib/contract/rules/page-list.ts';
import {
  archiveUrl,
  articleUrl,
  circleUrl,
  friendsUrl,
  homeUrl,
  pageUrl,
  seriesUrl,
  sitemapUrl,
  tagsUrl,
  tagUrl,
  userUrl,
} from '../../lib/shared/urls.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';

const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' };
/** Name of the sitemap file for pages that every site has. */
const PAGES = 'pages';

const LISTED_PATHS = sitePages
  .filter(({ isInSitemap }) => isInSitemap)
  .map(({ path }) => path)
  .toSorted();

const urls: Record<SitemapKind, (name: string, address?: string) => string> = {
  articles: articleUrl,
  users: (name) => userUrl(name),
  tags: (name) => tagUrl(name),
  series: seriesUrl,
};

/** Parses the name of a sitemap file; null if there is no such file. */
export function readSitemapName(
  name: string,
): { kind: typeof PAGES } | { kind: SitemapKind; part: number } | null {
  const [, kind = '', part = ''] = /^([a-z]+)-(0|[1-9]\d{0,8})$/.exec(name) ?? [];
  if (kind === PAGES) return part === '0' ? { kind } : null;
  return Object.hasOwn(urls, kind) ? { kind: kind as SitemapKind, part: Number(part) } : null;
}

const place = (name: 'url' | 'sitemap', address: string, updated?: string) =>
  element(
    name,
    {},
    element('loc', {}, address),
    updated === undefined ? null : element('lastmod', {}, updated),
  );

const newestOf = (parts: readonly SitemapPart[]): string | undefined =>
  parts
    .flatMap(({ update_time }) => update_time ?? [])
    .toSorted()
    .at(-1);

export function toSitemapIndex(parts: readonly SitemapPart[], { origin }: Site): string {
  const files = parts.map(({ kind, part, update_time }) =>
    place('sitemap', origin + sitemapUrl(kind, part), update_time),
  );
  const pages = place('sitemap', origin + sitemapUrl(PAGES, 0), newestOf(parts));
  return toDocument(element('sitemapindex', NAMESPACE, pages, ...files));
}

export const toSitemap = (kind: SitemapKind, entries: readonly SitemapEntry[], { origin }: Site): string =>
  toDocument(
    element(
      'urlset',
      NAMESPACE,
      ...entries.map(({ name, address, update_time }) =>
        place('url', origin + urls[kind](name, address), update_time),
      ),
    ),
  );

/**
 * Returns the sitemap file of the pages that every site has, and of those that its staff wrote. Pages that
 * list articles get the newest change.
 * @param known `months` of the archive, empty if there is no archive; their last change is unknown;
 * `hasFriends`: whether there is a friend
 */
export function toPagesSitemap(
  parts: readonly SitemapPart[],
  {
    months,
    pages,
    hasFriends,
  }: { months: Archive['months']; pages: readonly PublishedPage[]; hasFriends: boolean },
  { origin }: Site,
): string {
  const newest = newestOf(parts);
  const lists = [homeUrl(), tagsUrl()].map((path) => place('url', origin + path, newest));
  const years = [...new Set(months.map(({ year }) => year))];
  const archive = [
    ...(months.length > 0 ? [archiveUrl()] : []),
    ...years.map((year) => archiveUrl({ year })),
    ...months.map(({ year, month }) => archiveUrl({ year, month })),
  ];
  const friends = hasFriends ? [friendsUrl(), circleUrl()] : [];
  const others = [...LISTED_PATHS, ...archive, ...friends].map((path) => place('url', origin + path));
  const own = pages.map(({ slug, update_time }) => place('url', origin + pageUrl(slug), update_time));
  return toDocument(element('urlset', NAMESPACE, ...lists, ...own, ...others));
}
