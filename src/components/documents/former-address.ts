import type { AstroGlobal } from 'astro';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';
import { articleUrl } from '../../lib/shared/urls.ts';

/**
 * Redirects to the public article that had this address on the old site. The status is 301, but browsers must
 * revalidate it, because the article may be hidden later.
 * @returns null if there is no such article
 */
export async function formerAddress({
  request,
  locals: { blog, setCacheTags },
  redirect,
}: Pick<AstroGlobal, 'request' | 'locals' | 'redirect'>): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const id = await blog.findFormerPath(pathname + search);
  if (id === null) return null;
  setCacheTags([pageTags.article(id)]);
  return redirect(articleUrl(id), 301);
}
