import { z } from 'zod';
import type { ContentNotice } from './rules/notice-kinds.ts';

const instant = z.iso.datetime();

const WebhookArticle = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  author: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  create_time: instant,
  update_time: instant,
});
/** Without anything that readers no longer see. */
const WithdrawnArticle = z.object({ id: z.string(), url: z.string() });
const WebhookComment = z.object({
  id: z.string(),
  url: z.string(),
  author: z.string(),
  /** As its author typed it. */
  content: z.string(),
  create_time: instant,
  article: z.object({ id: z.string(), title: z.string() }),
});
const WebhookUser = z.object({ username: z.string(), url: z.string() });

/** `data` of each event, as it is when the event is sent. */
const CONTENT_DATA = {
  'article.published': WebhookArticle,
  'article.updated': WebhookArticle,
  'article.withdrawn': WithdrawnArticle,
  'comment.created': WebhookComment,
  'comment.approved': WebhookComment,
  'user.created': WebhookUser,
} as const satisfies Record<ContentNotice, z.ZodType>;
export type ContentData = { [E in ContentNotice]: z.infer<(typeof CONTENT_DATA)[E]> };

/** Returns the schema of the body of an event; receivers ignore fields that they do not know. */
export const eventSchema = (event: ContentNotice) =>
  z.object({
    type: z.literal(event),
    /** Time of the change. */
    timestamp: instant,
    data: CONTENT_DATA[event],
  });
