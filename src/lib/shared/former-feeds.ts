import type { FeedFormat } from './urls.ts';

/**
 * Paths of feeds in WordPress, Typecho, Ghost, Halo, Hexo, Hugo, Jekyll and VuePress, without a trailing
 * slash. Feeds of comments, tags and authors are left out: the site's feed has other entries.
 */
const FORMATS: ReadonlyMap<string, FeedFormat> = new Map(
  Object.entries({
    // prettier-ignore
    rss: [
      '/feed', '/feed/feed', '/feed/rss', '/feed/rss2', '/feed/rdf', '/feed/index.xml', '/feed.rss',
      '/rss', '/rss2', '/rss.xml', '/rss2.xml', '/rdf.xml', '/rss/index.xml', '/index.xml', '/index.rss',
      '/wp-feed.php', '/wp-rss.php', '/wp-rss2.php', '/wp-rdf.php', '/feed.php', '/rss.php',
    ],
    atom: ['/atom', '/feed/atom', '/feed.atom', '/atom/index.xml', '/index.atom', '/wp-atom.php'],
    json: ['/feed/json', '/feed/feed.json'],
  } satisfies Record<FeedFormat, string[]>).flatMap(([format, paths]) =>
    paths.map((path) => [path, format as FeedFormat] as const),
  ),
);

/** Returns the format of the site's feed that had an address (WordPress's `?feed=` counts), or null. */
export function formerFeed({ pathname, searchParams }: URL): FeedFormat | null {
  const path = pathname.toLowerCase().replace(/^\/index\.php(?=\/|$)/, '');
  const named = searchParams.get('feed')?.toLowerCase();
  const feed = path === '' || path === '/' ? `/feed/${named}` : path.replace(/\/$/, '');
  return FORMATS.get(feed) ?? null;
}
