import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WAIT_MS } from '../limits.ts';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { openProxy, type Proxy } from '../postgres/proxy.ts';
import { openOtherSite, type OtherSite } from './other-site.ts';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';

/**
 * A database across a slow network: each packet is delayed by this time in both directions. FAR_DATABASE=long
 * tests all distances with more rounds.
 */
const IS_LONG = process.env['FAR_DATABASE'] === 'long';
const DELAYS_MS = IS_LONG ? [5, 50, 150] : [50];
const ROUNDS = IS_LONG ? 5 : 1;
/** Longer than any test takes, even on a slow machine; only a test that hangs fails. */
const poll = { timeout: WAIT_MS, interval: 250 };

let proxy: Proxy;
let storage: TestStorage;
let site: OtherSite;
let near: TestServer;
let far: TestServer;
let author: Person;
let reader: Person;
let id: string;

beforeAll(async () => {
  proxy = await openProxy();
  site = await openOtherSite((_, response) => response.end('{}'));
  storage = await createStorage('');
  const { DATABASE_URL: url = '' } = storage.settings;
  const settings = { ...storage.settings, TOKEN_SECRET };
  near = await openServer(settings);
  far = await openServer({ ...settings, DATABASE_URL: proxy.through(url) }, site.outside);
  author = await near.join('林间');
  reader = await near.join('山中');
  id = await near.write(author, { title: '零' });
  const hook = {
    name: '群',
    format: 'json' as const,
    kinds: ['comment' as const],
    secret: '一串密钥',
    isOn: true,
  };
  const fields = { ...hook, url: site.urlOf('hooks.test', '/') };
  await far.app.db.write((trx) => far.app.services.notices.webhooks.save(trx, null, fields));
  // Only the far server runs due jobs.
  far.app.startJobs();
});
afterAll(async () => {
  proxy?.delay(0);
  await far?.close();
  await near?.close();
  site?.close();
  await proxy?.close();
  await storage?.remove();
});

const each = async (work: (round: number) => Promise<void>) => {
  for (let round = 0; round < ROUNDS; round++) await work(round);
};
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
/** Publishes an article in a second; again, if the request took longer than that. */
async function schedule(article: string): Promise<void> {
  for (;;) {
    const fields = { id: article, publish_time: inSeconds(1) };
    const answer = await far.post('/api/page/schedule', fields, author.token);
    if (answer.error !== 'FIELD_INVALID') return void done(answer);
  }
}
/** Reads an article from the near server. */
const seenNear = async (article: string) =>
  done(await near.post('/api/page/editdetail', { id: article }, author.token));
const edit = (server: TestServer, title: string) => {
  const fields = { title, content: `正文 ${title}`, tags: ['诗'], status: 'normal', secret: 'false' };
  return server.post('/api/page/edit', { id, ...fields }, author.token);
};

describe.each(DELAYS_MS)('with %i ms per packet', (delayMs) => {
  beforeAll(() => proxy.delay(delayMs));

  test('people sign in, and stay so', () =>
    each(async () => {
      const signedIn = await far.post('/api/signin', { username: '林间', password: PASSWORD });
      const { refresh_token } = done(signedIn);
      expect(done(await far.get('/api/signin/refreshToken', refresh_token)).token).toBeTypeOf('string');
      expect((await far.post('/api/signin', { username: '林间', password: '不是这个' })).code).toBe('ERROR');
    }));

  test('articles, drafts and unpublished changes are saved', () =>
    each(async (round) => {
      const name = `${delayMs} ms ${round}`;
      const made = await far.write(author, { title: name, tags: ['诗', name] });
      expect(await seenNear(made)).toMatchObject({ title: name, status: 'normal' });
      const draft = await far.write(author, { title: name, status: 'draft' });
      const change = { id: made, title: `改 ${name}`, content: '改', tags: ['诗'] };
      done(await far.post('/api/page/revision', change, author.token));
      done(await edit(far, name));
      done(await far.post('/api/page/delete', { id: draft }, author.token));
      expect(await seenNear(id)).toMatchObject({ title: name });
    }));

  test('scheduled articles are published, one after another, woken by the requests that set their times', async () => {
    // Together longer than one request may wait for storage.
    for (let round = 0; round < ROUNDS + 1; round++) {
      const article = await near.write(author, { title: `定时 ${delayMs} ${round}`, status: 'draft' });
      await schedule(article);
      await expect.poll(async () => (await seenNear(article)).status, poll).toBe('normal');
    }
    expect((await far.get('/metrics')).text).toContain('moye_schedules_overdue 0\n');
  });

  test('notices are sent, each once', () =>
    each(async (round) => {
      const before = site.asked.length;
      await far.comment(reader, id, { content: `好诗 ${delayMs} ${round}` });
      await expect
        .poll(() => storage.count(`select count(*) from outbox where state = 'waiting'`), poll)
        .toBe(0);
      expect(site.asked.length).toBe(before + 1);
    }));

  test('writers read their own writes, and each server shows the other’s writes', () =>
    each(async (round) => {
      const [here, there] = [`甲 ${delayMs} ${round}`, `乙 ${delayMs} ${round}`];
      const shown = async (server: TestServer) => (await server.get(`/detail/${id}`)).text;
      for (const server of [near, far]) await shown(server);
      done(await edit(far, here));
      expect(await shown(far)).toContain(here);
      await expect.poll(() => shown(near), poll).toContain(here);
      done(await edit(near, there));
      expect(await shown(near)).toContain(there);
      await expect.poll(() => shown(far), poll).toContain(there);
    }));
});
