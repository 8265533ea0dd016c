import { createSecretKey } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createEvents } from '../../src/lib/server/db/events.ts';
import { createNoticeService } from '../../src/lib/server/notices/notice-service.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import { fakes } from '../fakes.ts';

/**
 * A process for notice-killed.test.ts that sends the contents of a site's outbox until it is killed. Its
 * leases are short, so its successor need not wait.
 */
const LEASE_MS = 250;
const app = await createApp(readConfig());
const notices = createNoticeService({
  db: app.db,
  events: createEvents(app.db, () => {}),
  notifications: app.services.notifications,
  ...fakes({ log: { info: () => {}, warn: () => {} } }),
  now: Date.now,
  outside: createOutside({ resolve: async () => ['127.0.0.1'], mayConnect: () => true }),
  smtp: app.services.operatorSettings.current('mail'),
  keys: {
    webhooks: createSecretKey(Buffer.alloc(32, 1)),
    unsubscribe: createSecretKey(Buffer.alloc(32, 2)),
  },
  site: { origin: 'https://blog.example.com', title: '墨页' },
  timeZone: 'Asia/Shanghai',
  addressesOf: async () => new Map(),
  commentOf: async () => null,
  articleOf: async () => null,
  userOf: async () => null,
  leaseMs: LEASE_MS,
});
process.stdout.write('ready\n');
const { signal } = new AbortController();
for (;;) {
  await Promise.all([notices.outbox.sendDue('mail', signal), notices.outbox.sendDue('webhook', signal)]);
  await setTimeout(10);
}
