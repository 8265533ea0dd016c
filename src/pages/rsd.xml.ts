import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../components/documents/documents.ts';
import { toRsd } from '../components/documents/rsd.ts';

export const GET: APIRoute = ({ locals: { site, setCacheTags } }) => {
  // Editors need absolute addresses.
  if (site.origin === '') return noSuchDocument();
  setCacheTags([]);
  return documentOf(toRsd(site), 'application/rsd+xml');
};
