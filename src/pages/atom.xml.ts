import type { APIRoute } from 'astro';
import { answerFeed } from '../components/feeds/answer-feed.ts';

export const GET: APIRoute = ({ locals }) => answerFeed(locals, { kind: 'site' }, 'atom');
