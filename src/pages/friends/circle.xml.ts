import type { APIRoute } from 'astro';
import { documentOf, noSuchDocument } from '../../components/documents/documents.ts';
import { POLICY } from '../../components/feeds/answer-feed.ts';
import { toCircleFeed } from '../../components/feeds/friend-documents.ts';
import { pageTags } from '../../lib/shared/pages/page-tags.ts';

export const GET: APIRoute = async ({ locals: { blog, site, setCacheTags } }) => {
  const circle = await blog.readCircle();
  if (!circle) return noSuchDocument();
  setCacheTags([pageTags.friends]);
  return documentOf(toCircleFeed(circle, site), 'application/xml', { 'Content-Security-Policy': POLICY });
};
