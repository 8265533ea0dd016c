import { spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createEvents } from '../../src/lib/server/db/events.ts';
import { createNoticeService } from '../../src/lib/server/notices/notice-service.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import { createStorage, TOKEN_SECRET } from '../engine.ts';
import { amount, tally } from '../trial.ts';
import { openMailbox } from './mailbox.ts';
import { fakes } from '../fakes.ts';

/** `MOYE_KILLS=1000 npm test -- engines notice-killed` takes ten minutes. */
const KILLS = amount('MOYE_KILLS', 3, 40);
/** Of each kind; enough that every killed process has some in progress. */
const NOTICES = KILLS * 10;
const SENDER = fileURLToPath(new URL('notice-sender.ts', import.meta.url));
/** Slow responses, so most senders are killed between sending and the acknowledgement. */
const delay = () => Math.random() * 20;

test(
  'with killed senders every notification arrives, each under one id',
  { timeout: TEST_MS + KILLS * 10_000 },
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'moye-sender-'));
    await using storage = await createStorage(place);
    const mailbox = await openMailbox({ delay });
    /** Ids of received notifications, by title. */
    const told = new Map<string, Set<string>>();
    const note = (title: string, id: string) => told.set(title, (told.get(title) ?? new Set()).add(id));
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => void (body += part.toString()));
      request.on('end', () => {
        const { id, title } = JSON.parse(body) as { id: string; title: string };
        const isFirst = told.size === 0;
        note(title, id);
        // The first request gets no response, because its sender is killed: the notification is sent again.
        if (!isFirst) setTimeout(() => response.end(), delay());
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const environment = { ...storage.settings, TOKEN_SECRET, LOG_LEVEL: 'silent' };
    const mail = { SMTP_URL: mailbox.url, SMTP_FROM: 'blog@example.com' };
    const app = await createApp(readConfig({ ...environment, ...mail }));
    const { port } = receiver.address() as AddressInfo;
    const notices = createNoticeService({
      db: app.db,
      events: createEvents(app.db, () => {}),
      notifications: app.services.notifications,
      ...fakes({ log: { info: () => {}, warn: () => {} } }),
      now: Date.now,
      outside: createOutside(),
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
    });
    await app.db.write(async (trx) => {
      const url = `http://hook.test:${port}/`;
      const hook = {
        name: '值班',
        format: 'json',
        kinds: ['report'],
        isOn: true,
        url,
        secret: 'geheim',
      } as const;
      await notices.webhooks.save(trx, null, hook);
    });
    await app.db.write(async (trx) => {
      for (let number = 0; number < NOTICES; number++) {
        await notices.queueMail(trx, { to: 'a@example.com', subject: `mail ${number}`, text: '正文' });
        const report = { title: `hook ${number}`, text: '', path: '/' };
        await notices.notify(trx, { kind: 'report', ...report });
      }
    });
    const waiting = () => storage.count("select count(*) from outbox where state = 'waiting'");

    for (let kills = 0; kills <= KILLS; kills++) {
      const env = { ...process.env, ...environment, ...mail };
      const sender = spawn(process.execPath, [SENDER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(sender, 'exit');
      await once(sender.stdout, 'data');
      // The last sender may finish.
      if (kills === KILLS) while ((await waiting()) > 0) await sleep(50);
      else if (kills === 0) while (told.size === 0) await sleep(5);
      else await sleep(30 + Math.random() * 90);
      sender.kill('SIGKILL');
      tally('notification senders killed');
      await ended;
    }
    for (const { subject, header } of mailbox.received) note(subject, header('Message-ID'));
    const titles = (kind: string) => Array.from({ length: NOTICES }, (_, number) => `${kind} ${number}`);
    expect([...told.keys()].toSorted()).toEqual([...titles('mail'), ...titles('hook')].toSorted());
    expect([...told.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    const ids = [...told.values()].flatMap((each) => [...each]);
    expect(new Set(ids).size).toBe(2 * NOTICES);
    expect(await storage.count('select max(tries) from outbox')).toBeGreaterThan(1);

    await app.close();
    await mailbox.close();
    receiver.close();
    rmSync(place, { recursive: true, force: true });
  },
);
