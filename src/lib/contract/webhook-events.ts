import { z } from 'zod';
import { instant, object, string, strings } from './titled.ts';
import type { ContentNotice } from './rules/notice-kinds.ts';

const WebhookArticle = z.object({
  id: string('编号'),
  url: string('网址'),
  title: string('标题'),
  author: string('作者'),
  tags: strings('标签'),
  description: string('摘要'),
  create_time: instant('新建的时间'),
  update_time: instant('修改的时间'),
});
/** Without anything that readers no longer see. */
const WithdrawnArticle = z.object({ id: string('编号'), url: string('网址') });
const WebhookComment = z.object({
  id: string('编号'),
  url: string('网址'),
  author: string('作者'),
  /** As its author typed it. */
  content: string('正文'),
  create_time: instant('新建的时间'),
  article: object('文章', { id: string('编号'), title: string('标题') }),
});
const WebhookUser = z.object({ username: string('用户名'), url: string('网址') });

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
    timestamp: instant('发生的时间'),
    data: CONTENT_DATA[event],
  });
