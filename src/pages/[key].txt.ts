import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../components/documents/documents.ts';

export const GET: APIRoute = ({ params, locals: { site, keep } }) => {
  const key = params['key'];
  if (key === undefined || key !== site.indexNowKey) return noSuchDocument();
  keep([]);
  return documentOf(key, 'text/plain');
};
