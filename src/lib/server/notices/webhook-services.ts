import { createNoticeConsole } from './notice-console.ts';
import { createOwnWebhooks } from './own-webhooks.ts';

export const createWebhookServices = (parts: Parameters<typeof createNoticeConsole>[0]) => ({
  noticeConsole: createNoticeConsole(parts),
  ownWebhooks: createOwnWebhooks(parts),
});
