import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents/documents.ts';
import { SPECULATION_RULES } from '../layouts/speculation-rules.ts';

export const GET: APIRoute = ({ locals: { setCacheTags } }) => {
  setCacheTags([]);
  return documentOf(SPECULATION_RULES, 'application/speculationrules+json');
};
