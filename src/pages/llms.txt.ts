import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents.ts';
import { toLlmsText } from '../components/llms-text.ts';
import { cardTags, pageTags } from '../lib/blog/page-tags.ts';

export const GET: APIRoute = async ({ locals: { blog, site, keep } }) => {
  const articles = await blog.listNewest();
  keep([pageTags.lists, ...cardTags({ items: articles })]);
  return documentOf(toLlmsText(articles, site), 'text/plain');
};
