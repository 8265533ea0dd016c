import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { createApp } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, TOKEN_SECRET } from '../engine.ts';
import { amount, tally } from '../trial.ts';
import { ARTICLE } from './notice-stage.ts';

const KILLS = amount('MOYE_KILLS', 3, 40);
const EVENTS = amount('MOYE_EVENTS', 60, 1000);
const ARTICLES = 8;
const SENDER = fileURLToPath(new URL('content-sender.ts', import.meta.url));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Slow responses, so most senders are killed between sending and the acknowledgement. */
const delay = () => Math.random() * 20;

test(
  'with killed servers every event arrives, signed, in the order of its article',
  { timeout: TEST_MS + KILLS * 10_000 + EVENTS * 200 },
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'moye-events-'));
    await using storage = await createStorage(place);
    const verifier = new Webhook(SECRET);
    const received: { id: string; articleId: string }[] = [];
    const refused: unknown[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => void (body += part.toString()));
      request.on('end', () => {
        try {
          const event = verifier.verify(body, request.headers as Record<string, string>);
          const { id, data } = event as { id: string; data: { id: string } };
          received.push({ id, articleId: data.id });
        } catch (error) {
          refused.push(error);
        }
        // The first request gets no response, because its server is killed: the event is sent again.
        if (received.length !== 1) setTimeout(() => response.end(), delay());
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const environment = {
      ...storage.settings,
      TOKEN_SECRET,
      SITE_URL: 'https://blog.example.com',
      LOG_LEVEL: 'silent',
    };
    const app = await createApp(readConfig(environment));
    const { auth, articles, notices } = app.services;
    const account = { username: '王维', password: 'correct horse', gender: 'x', bio: '' } as const;
    const author = { id: await auth.addUser(account), username: '王维', signinId: '', origin: '' } as Viewer;
    const { port } = receiver.address() as AddressInfo;
    const hook = { name: '程序', format: 'json', isOn: true, secret: SECRET } as const;
    await app.db.write((trx) =>
      notices.webhooks.save(trx, null, {
        ...hook,
        kinds: ['article.published', 'article.updated'],
        url: `http://hook.test:${port}/`,
      }),
    );
    const articleIds: string[] = [];
    for (let number = 0; number < ARTICLES; number++)
      articleIds.push((await articles.create({ ...ARTICLE, title: `诗 ${number}` }, author)).id);

    const waiting = () => storage.count("select count(*) from outbox where state = 'waiting'");
    let stored = 0;
    let first = 0;
    const isDone = async () => first === EVENTS && (await waiting()) === 0;
    for (let kills = 0; kills <= KILLS; kills++) {
      const isLast = kills === KILLS;
      const work = { author, articleIds, first, last: EVENTS };
      const sender = spawn(process.execPath, [SENDER, JSON.stringify(work)], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(sender, 'exit');
      const lines = createInterface(sender.stdout);
      const isReady = once(lines, 'line');
      lines.on('line', (line) => {
        if (line === 'ready') return;
        stored++;
        first = Number(line) + 1;
      });
      await isReady;
      const former = received.length;
      const share = kills === 0 ? 0 : Math.random() * (EVENTS / KILLS);
      const isKillable = async () => received.length - former > share || (await isDone());
      // The last server may finish; each other one has sent some events by its end.
      while (!(await (isLast ? isDone() : isKillable()))) await sleep(10);
      await sleep(delay());
      sender.kill('SIGKILL');
      tally('servers killed while they sent events');
      await ended;
    }

    expect(refused).toEqual([]);
    const rows = await storage.rows(
      'select delivery, subject, state from outbox where subject is not null order by create_time, id',
    );
    // An edit may be stored without its number being printed, by each killed server at most once.
    expect(rows.length).toBeGreaterThanOrEqual(ARTICLES + stored);
    expect(rows.length).toBeLessThanOrEqual(ARTICLES + stored + KILLS);
    expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
    for (const articleId of articleIds) {
      const own = received.filter((event) => event.articleId === articleId).map(({ id }) => id);
      // A repeated event follows its first copy directly, before any later event about its article.
      const arrived = own.filter((id, at) => id !== own[at - 1]);
      expect(arrived).toEqual(
        rows.filter(({ subject }) => subject === articleId).map(({ delivery }) => delivery),
      );
    }
    expect(await storage.count('select max(tries) from outbox')).toBeGreaterThan(1);

    await app.close();
    receiver.close();
    rmSync(place, { recursive: true, force: true });
  },
);
