import type { APIRoute } from 'astro';
import { noSuchDocument } from '../../../../components/documents.ts';
import { answerFeed } from '../../../../components/feeds/answer-feed.ts';
import { readFeed } from '../../../../components/urls.ts';

// Astro's own params are decoded again and again until nothing changes.
export const GET: APIRoute = ({ locals, request }) => {
  const asked = readFeed(request.url);
  return asked ? answerFeed(locals, asked.subject, asked.format) : noSuchDocument();
};
