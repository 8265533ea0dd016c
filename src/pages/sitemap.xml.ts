import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../components/documents/documents.ts';
import { toSitemapIndex } from '../components/documents/sitemap.ts';
import { pageTags } from '../lib/shared/pages/page-tags.ts';

export const GET: APIRoute = async ({ locals: { blog, site, setCacheTags } }) => {
  // A sitemap needs absolute addresses.
  if (site.origin === '') return noSuchDocument();
  const parts = await blog.listSitemaps();
  setCacheTags([pageTags.search, pageTags.tags]);
  return documentOf(toSitemapIndex(parts, site), 'application/xml');
};
