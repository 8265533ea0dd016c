import type { APIRoute } from 'astro';
import { noSuchDocument } from '../../../../components/documents/documents.ts';
import { answerFeed } from '../../../../components/feeds/answer-feed.ts';
import { readFeed } from '../../../../lib/shared/urls.ts';

// Reads the URL because Astro decodes its params repeatedly.
export const GET: APIRoute = ({ locals, request }) => {
  const asked = readFeed(request.url);
  return asked ? answerFeed(locals, asked.subject, asked.format) : noSuchDocument();
};
