import type { AstroGlobal } from 'astro';
import { pageTags } from '../lib/blog/page-tags.ts';
import { articleUrl } from './urls.ts';

/**
 * Leads to the public article that stood at this request's address on its old site: for good, and still asked
 * for anew each time, for it may be hidden tomorrow.
 * @returns null where there is none
 */
export async function formerAddress({
  request,
  locals: { blog, keep },
  redirect,
}: Pick<AstroGlobal, 'request' | 'locals' | 'redirect'>): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const id = await blog.findFormerPath(pathname + search);
  if (id === null) return null;
  keep([pageTags.article(id)]);
  return redirect(articleUrl(id), 301);
}
