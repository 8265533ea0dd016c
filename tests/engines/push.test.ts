import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, type App } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createPushService, type PushService } from '../../src/lib/server/push/push-service.ts';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';
import { fakes, settled } from '../fakes.ts';

const ORIGIN = 'https://blog.example.com';
const KEYS = { baidu: 'baidu-token', indexnow: 'indexnow-key' };
const FIELDS = { title: '题', content: '正文', tags: ['诗'], type: '', secret: false };

let folder: string;
let storage: TestStorage;
let app: App;
let author: Viewer;
let engine: Server;
/** Requests that the search engine received, and its response. */
let asked: { url: string; type: string; body: string }[];
let answer: (body: string) => { status: number; text: string };
let offset = 0;
let logged: object[];
const now = () => Date.now() + offset;
const pass = (seconds: number) => void (offset += seconds * 1000);

const takeAll = (body: string) => ({
  status: 200,
  text: JSON.stringify({ success: body.split('\n').length, remain: 9 }),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-push-'));
  storage = await createStorage(folder);
  const settings = { ...storage.settings, TOKEN_SECRET, SITE_URL: ORIGIN, LOG_LEVEL: 'silent' };
  const keys = { BAIDU_PUSH_TOKEN: KEYS.baidu, INDEXNOW_KEY: KEYS.indexnow };
  app = await createApp(readConfig({ ...settings, ...keys }), now);
  const id = await app.services.auth.addUser({
    username: '王维',
    password: 'correct horse',
    gender: 'x',
    bio: '',
  });
  author = { id, username: '王维', signinId: '', origin: '' };
  engine = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => void (body += part.toString()));
    request.on('end', () => {
      asked.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', body });
      const { status, text } = answer(body);
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  engine?.close();
  await app?.close();
  await storage?.remove();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  asked = [];
  logged = [];
  answer = takeAll;
  await app.db.write((trx) => trx.deleteFrom('pushes').execute());
});

/** A sender, as another process would have. */
function sender(): PushService {
  const endpoint = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/urls`;
  const log = {
    info: (fact: object) => void logged.push(fact),
    warn: (fact: object) => void logged.push(fact),
  };
  return createPushService({
    db: app.db,
    keys: settled(KEYS),
    origin: ORIGIN,
    ...fakes({ log }),
    now,
    endpoints: { baidu: endpoint, indexnow: endpoint },
  });
}
const publish = async (fields: Partial<typeof FIELDS> = {}) =>
  (await app.services.articles.create({ ...FIELDS, status: 'normal', ...fields }, author)).id;
const edit = (id: string, fields: object = {}) =>
  app.services.articles.edit({ id, ...FIELDS, status: 'normal', ...fields }, author);
const waiting = async () =>
  (await sender().list()).map(({ article_id, engine: name }) => `${name} ${article_id}`);

test('published articles are pushed to both engines, in their formats, once', async () => {
  const id = await publish();
  await edit(id, { content: '改过' });
  expect(await waiting()).toEqual([`baidu ${id}`, `indexnow ${id}`]);
  // Repeated saves within the window produce one push.
  expect(await sender().send('baidu')).toBe(0);
  pass(61);
  expect(await sender().send('baidu')).toBe(1);
  expect(await sender().send('indexnow')).toBe(1);
  const url = `${ORIGIN}/detail/${id}`;
  expect(asked).toEqual([
    { url: `/urls?site=${encodeURIComponent(ORIGIN)}&token=${KEYS.baidu}`, type: 'text/plain', body: url },
    {
      url: '/urls',
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({
        host: 'blog.example.com',
        key: KEYS.indexnow,
        keyLocation: `${ORIGIN}/${KEYS.indexnow}.txt`,
        urlList: [url],
      }),
    },
  ]);
  expect(await waiting()).toEqual([]);
  expect(await sender().send('baidu')).toBe(0);
  expect(logged).toEqual([
    { engine: 'baidu', sent: 1, remain: 9 },
    { engine: 'indexnow', sent: 1, remain: undefined },
  ]);
});

test('non-public articles are never pushed', async () => {
  await app.services.articles.create({ ...FIELDS, status: 'draft' }, author);
  await app.services.articles.create({ ...FIELDS, status: 'normal', secret: true }, author);
  const [hidden, deleted] = [await publish(), await publish()];
  await edit(hidden, { secret: true });
  await app.services.articles.remove(deleted, author);
  expect(await waiting()).toEqual([]);
  // Even when a row was left behind.
  const row = { engine: 'baidu', change_time: 1, due_time: 1, tries: 0, problem: '' } as const;
  await app.db.write((trx) =>
    trx
      .insertInto('pushes')
      .values({ article_id: hidden, ...row })
      .execute(),
  );
  expect(await sender().send('baidu')).toBe(0);
  expect(asked).toEqual([]);
  expect(await storage.count('select count(*) as n from pushes')).toBe(0);
  await app.services.trash.restore(deleted, author);
  expect(await waiting()).toEqual([`baidu ${deleted}`, `indexnow ${deleted}`]);
});

test('failed pushes are retried with growing pauses, and dropped eventually', async () => {
  const id = await publish();
  answer = () => ({ status: 400, text: '{"error":400,"message":"over quota"}' });
  pass(61);
  await sender().send('baidu');
  expect(asked).toHaveLength(1);
  await sender().send('baidu');
  expect(asked).toHaveLength(1);
  expect((await sender().list()).find((row) => row.engine === 'baidu')).toMatchObject({
    article_id: id,
    tries: 1,
    problem: '400 {"error":400,"message":"over quota"}',
  });
  pass(61);
  await sender().send('baidu');
  expect(asked).toHaveLength(2);
  for (let tries = 3; tries < 20; tries++) {
    pass(DAY_S + 1);
    await sender().send('baidu');
  }
  expect(asked).toHaveLength(8);
  expect(await waiting()).toEqual([`indexnow ${id}`]);
  expect(logged.at(-1)).toMatchObject({ engine: 'baidu', given: [`${ORIGIN}/detail/${id}`] });
});

test('concurrent senders push each URL once; those of a dead sender are pushed by another', async () => {
  const ids = [await publish(), await publish(), await publish()];
  pass(61);
  const sent = await Promise.all([sender().send('baidu'), sender().send('baidu')]);
  expect(sent.toSorted((a, b) => a - b)).toEqual([0, 3]);
  expect(asked.flatMap(({ body }) => body.split('\n')).toSorted()).toEqual(
    ids.map((id) => `${ORIGIN}/detail/${id}`).toSorted(),
  );
  // Taken by a sender that died before it finished.
  await edit(ids[0] ?? '', { content: '又改' });
  pass(61);
  await app.db.write((trx) =>
    trx
      .updateTable('pushes')
      .set({ due_time: now() + 120_000, tries: 1 })
      .execute(),
  );
  expect(await sender().send('baidu')).toBe(0);
  pass(121);
  expect(await sender().send('baidu')).toBe(1);
});

test('a URL changed during its push is pushed again', async () => {
  const id = await publish();
  pass(61);
  let editing: Promise<unknown> | undefined;
  answer = (body) => {
    pass(1);
    editing = edit(id, { content: '发送时改的' });
    return takeAll(body);
  };
  const sending = sender().send('baidu');
  await sending;
  await editing;
  expect(await waiting()).toContain(`baidu ${id}`);
});

test('URLs rejected by an engine are logged and not pushed again', async () => {
  const id = await publish();
  pass(61);
  const url = `${ORIGIN}/detail/${id}`;
  answer = () => ({ status: 200, text: JSON.stringify({ success: 0, remain: 9, not_valid: [url] }) });
  expect(await sender().send('baidu')).toBe(0);
  expect(logged[0]).toEqual({ engine: 'baidu', refused: [url] });
  expect(await waiting()).toEqual([`indexnow ${id}`]);
});

test('engines no longer configured are removed at the next start', async () => {
  const id = await publish();
  const silent = { info: () => {}, warn: () => {} };
  const keys = { baidu: null, indexnow: null };
  const service = createPushService({
    db: app.db,
    keys: settled(keys),
    origin: ORIGIN,
    ...fakes({ log: silent }),
    now,
  });
  service.start();
  await service.stop();
  expect(await waiting()).toEqual([]);
  expect(id).toMatch(/^[0-9a-f]{24}$/);
});
