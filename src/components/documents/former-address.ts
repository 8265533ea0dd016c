import type { AstroGlobal } from 'astro';
import { articleUrl, feedUrl, pageUrl, type FeedFormat } from '../../lib/shared/urls.ts';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';

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

/**
 * Redirects to the public article or page that had this address on the old site, or else to the feed that had
 * it. The status is 301, but browsers must revalidate it, because the article may be hidden later.
 * @returns null if there is neither
 */
export async function formerAddress({
  request,
  locals: { blog, setCacheTags },
  redirect,
}: Pick<AstroGlobal, 'request' | 'locals' | 'redirect'>): Promise<Response | null> {
  const url = new URL(request.url);
  const article = await blog.findFormerPath(url.pathname + url.search);
  if (article) {
    const page = (await blog.listPages()).find(({ _id }) => _id === article.id);
    setCacheTags([pageTags.article(article.id), pageTags.pages]);
    const target = page ? pageUrl(page.slug) : articleUrl(article.id, article.address);
    return redirect(target, 301);
  }
  // Not cached: an import may give the address to an article.
  const format = formerFeed(url);
  return format && redirect(feedUrl({ kind: 'site' }, format), 301);
}
