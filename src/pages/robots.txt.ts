import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents.ts';
import { sitePages } from '../lib/blog/page-list.ts';

/** What is of no use to search engines besides the pages for signed-in readers. */
const OTHERS = ['/signin', '/signup', '/home/', '/detail/*/', '/api/'];
/** Pictures of articles. */
const ALLOWED = '/api/file/';

export const GET: APIRoute = ({ locals: { site, keep } }) => {
  const own = sitePages.flatMap((page) => (page.isForSignedIn ? [page.path.replace(/:.*/, '')] : []));
  const lines = [
    'User-agent: *',
    `Allow: ${ALLOWED}`,
    ...[...own, ...OTHERS].map((path) => `Disallow: ${path}`),
    ...(site.origin === '' ? [] : ['', `Sitemap: ${site.origin}/sitemap.xml`]),
  ];
  keep([]);
  return documentOf(`${lines.join('\n')}\n`, 'text/plain');
};
