import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../components/documents/documents.ts';

export const GET: APIRoute = ({ params, locals: { site, setCacheTags } }) => {
  const key = params['key'];
  if (key === undefined || key !== (site.indexNowKey || site.indexnow_key)) return noSuchDocument();
  setCacheTags([]);
  return documentOf(key, 'text/plain');
};
