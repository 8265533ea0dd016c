import type { AstroGlobal } from 'astro';
import { formerFeed } from '../../lib/shared/former-feeds.ts';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';
import { articleUrl, feedUrl } from '../../lib/shared/urls.ts';

/**
 * Redirects to the public article that had this address on the old site, or else to the feed that had it. The
 * status is 301, but browsers must revalidate it, because the article may be hidden later.
 * @returns null if there is neither
 */
export async function formerAddress({
  request,
  locals: { blog, setCacheTags },
  redirect,
}: Pick<AstroGlobal, 'request' | 'locals' | 'redirect'>): Promise<Response | null> {
  const url = new URL(request.url);
  const id = await blog.findFormerPath(url.pathname + url.search);
  if (id !== null) {
    setCacheTags([pageTags.article(id)]);
    return redirect(articleUrl(id), 301);
  }
  // Not cached: an import may give the address to an article.
  const format = formerFeed(url);
  return format && redirect(feedUrl({ kind: 'site' }, format), 301);
}
