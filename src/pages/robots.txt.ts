import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents/documents.ts';
import { sitePages } from '../lib/contract/rules/page-list.ts';

/** Paths without use for search engines, in addition to the pages for signed-in readers. */
const OTHERS = ['/signin', '/signup', '/home/', '/detail/*/', '/api/'];
const ALLOWED = '/api/file/';

export const GET: APIRoute = ({ locals: { site, setCacheTags } }) => {
  const own = sitePages.flatMap((page) => (page.isForSignedIn ? [page.path.replace(/:.*/, '')] : []));
  const lines = [
    'User-agent: *',
    `Allow: ${ALLOWED}`,
    ...[...own, ...OTHERS].map((path) => `Disallow: ${path}`),
    ...(site.origin === '' ? [] : ['', `Sitemap: ${site.origin}/sitemap.xml`]),
  ];
  setCacheTags([]);
  return documentOf(`${lines.join('\n')}\n`, 'text/plain');
};
