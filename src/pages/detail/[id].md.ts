import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../../components/documents/documents.ts';
import { articleUrl } from '../../lib/shared/urls.ts';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';
import { toMarkdownFile } from '../../lib/shared/write-file.ts';

export const GET: APIRoute = async ({ params, locals: { blog, site, setCacheTags } }) => {
  const id = params['id']?.toLowerCase() ?? '';
  const article = /^[0-9a-f]{24}$/.test(id) ? await blog.readSource(id) : null;
  if (!article) return noSuchDocument();
  setCacheTags([pageTags.article(id)]);
  const { create_user: author, create_time: date, update_time: updated } = article;
  return documentOf(toMarkdownFile(article, { author, date, updated }), 'text/markdown', {
    Link: `<${site.origin}${articleUrl(id, article.address)}>; rel="canonical"`,
    'X-Robots-Tag': 'noindex',
  });
};
