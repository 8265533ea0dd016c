import { setTimeout } from 'node:timers/promises';
import { createApp } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { deriveKey } from '../../src/lib/server/auth/tokens.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createEvents } from '../../src/lib/server/db/events.ts';
import { createNoticeService } from '../../src/lib/server/notices/notice-service.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import { ARTICLE } from './notice-stage.ts';
import { fakes } from '../fakes.ts';

/**
 * A site for content-webhooks-killed.test.ts that edits articles, prints the number of each stored edit, and
 * sends the events at the same time, until it is killed. Its leases are short, so its successor need not
 * wait.
 */
const LEASE_MS = 250;
const work = JSON.parse(process.argv[2] ?? '') as {
  author: Viewer;
  articleIds: string[];
  first: number;
  last: number;
};
const app = await createApp(readConfig());
const { articles, comments, users } = app.services;
const notices = createNoticeService({
  db: app.db,
  events: createEvents(app.db, () => {}),
  notifications: app.services.notifications,
  ...fakes({ log: { info: () => {}, warn: () => {} } }),
  now: Date.now,
  outside: createOutside({ resolve: async () => ['127.0.0.1'], mayConnect: () => true }),
  smtp: app.services.operatorSettings.current('mail'),
  keys: {
    webhooks: deriveKey(app.config.tokenSecret, 'webhooks'),
    unsubscribe: deriveKey(app.config.tokenSecret, 'unsubscribe'),
  },
  site: { origin: app.config.origin, title: '墨页' },
  timeZone: 'Asia/Shanghai',
  addressesOf: async () => new Map(),
  commentOf: (id, viewer) => comments.find(id, viewer),
  articleOf: (id) => articles.findPublic(id),
  userOf: users.findShown,
  leaseMs: LEASE_MS,
});
process.stdout.write('ready\n');

async function edit(): Promise<void> {
  for (let number = work.first; number < work.last; number++) {
    const id = work.articleIds[number % work.articleIds.length] ?? '';
    await articles.edit({ id, ...ARTICLE, content: `第 ${number} 次修改` }, work.author);
    process.stdout.write(`${number}\n`);
  }
}
async function send(): Promise<never> {
  const { signal } = new AbortController();
  for (;;) {
    await notices.outbox.sendDue('webhook', signal);
    await setTimeout(10);
  }
}
await Promise.all([edit(), send()]);
