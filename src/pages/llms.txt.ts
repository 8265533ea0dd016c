import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents/documents.ts';
import { toLlmsText } from '../components/documents/llms-text.ts';
import { cardTags, pageTags } from '../lib/shared/pages/page-tags.ts';

export const GET: APIRoute = async ({ locals: { blog, site, setCacheTags } }) => {
  const articles = await blog.listNewest();
  setCacheTags([pageTags.lists, ...cardTags({ items: articles })]);
  return documentOf(toLlmsText(articles, site), 'text/plain');
};
