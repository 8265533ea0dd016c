import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../../components/documents/documents.ts';
import { readSitemapName, toPagesSitemap, toSitemap } from '../../components/documents/sitemap.ts';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';

export const GET: APIRoute = async ({ params, locals: { blog, site, setCacheTags } }) => {
  const asked = site.origin === '' ? null : readSitemapName(params['name'] ?? '');
  if (!asked) return noSuchDocument();
  const tags = [pageTags.search, pageTags.tags];
  if (asked.kind === 'pages') {
    const parts = await blog.listSitemaps();
    const archive = await blog.readArchive({}, 1);
    const pages = await blog.listPages();
    const hasFriends = ((await blog.listFriends()) ?? []).length > 0;
    setCacheTags([...tags, pageTags.lists, pageTags.pages, pageTags.friends]);
    return documentOf(
      toPagesSitemap(parts, { months: archive?.months ?? [], pages, hasFriends }, site),
      'application/xml',
    );
  }
  const entries = await blog.readSitemap(asked.kind, asked.part);
  if (entries.length === 0) return noSuchDocument();
  setCacheTags(tags);
  return documentOf(toSitemap(asked.kind, entries, site), 'application/xml');
};
