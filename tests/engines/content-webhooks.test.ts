import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { eventSchema } from '../../src/lib/contract/webhook-events.ts';
import type { ContentNotice } from '../../src/lib/contract/rules/notice-kinds.ts';
import { countOverdueDeliveries } from '../../src/lib/server/doctor/doctor-queries.ts';
import { createNoticeConsole } from '../../src/lib/server/notices/notice-console.ts';
import { createOwnWebhooks } from '../../src/lib/server/notices/own-webhooks.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import { HOUR_MS } from '../../src/lib/contract/rules/units.ts';
import { ARTICLE, ORIGIN, setNoticeStage } from './notice-stage.ts';

const stage = setNoticeStage();
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KINDS: ContentNotice[] = [
  'article.published',
  'article.updated',
  'article.withdrawn',
  'comment.created',
  'user.created',
];

interface Event {
  id: string;
  type: ContentNotice;
  data: Record<string, unknown>;
}

const add = (fields: object = {}, owner: string | null = null) =>
  stage.app.db.write((trx) =>
    stage.notices.webhooks.save(
      trx,
      null,
      {
        name: '程序',
        format: 'json',
        kinds: KINDS,
        isOn: true,
        secret: SECRET,
        url: stage.site.urlOf('hooks.example.com', '/in'),
        ...fields,
      },
      owner,
    ),
  );
/** Sends until nothing is due, and returns the events in the order of their arrival. */
async function sendAll(): Promise<Event[]> {
  while ((await stage.sendHooks()) > 0);
  return stage.bodies.map((body) => JSON.parse(body) as Event);
}
const openConsole = () =>
  createNoticeConsole({
    db: stage.app.db,
    notices: stage.notices,
    outside: stage.site.outside,
    audit: stage.app.services.audit,
  });
const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

test('changes of public content are sent as the schemas say, signed by Standard Webhooks', async () => {
  await add();
  const { articleId, commentId } = await stage.write();
  stage.pass(1);
  const { articles } = stage.app.services;
  await articles.edit({ id: articleId, ...ARTICLE, content: '空山不见人' }, stage.author);
  const events = await sendAll();
  // A secret article exists for its author alone.
  await articles.edit({ id: articleId, ...ARTICLE, secret: true }, stage.author);
  await articles.create({ ...ARTICLE, title: '草稿', status: 'draft' }, stage.author);
  const [, , , withdrawn] = await sendAll();
  expect(typesOf(events)).toEqual(['article.published', 'comment.created', 'article.updated']);
  expect(events.map(({ type, ...event }) => eventSchema(type).safeParse({ type, ...event }).error)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(events[1]?.data).toMatchObject({
    id: commentId,
    content: '好诗',
    author: '裴迪',
    article: { id: articleId, title: '鹿柴' },
  });
  const url = `${ORIGIN}/detail/${articleId}`;
  expect(withdrawn).toMatchObject({ type: 'article.withdrawn', data: { id: articleId, url } });
  expect(JSON.stringify(withdrawn)).not.toContain('鹿柴');
  const verifier = new Webhook(SECRET);
  for (const [at, { headers }] of stage.site.asked.entries())
    expect(verifier.verify(stage.bodies[at] ?? '', headers as Record<string, string>)).toMatchObject({
      id: headers['webhook-id'],
    });
});

test('an event about content that readers no longer see when it is sent is dropped', async () => {
  const { id } = await add();
  const { articleId } = await stage.write();
  await stage.app.services.articles.edit({ id: articleId, ...ARTICLE, secret: true }, stage.author);
  expect(typesOf(await sendAll())).toEqual(['article.withdrawn']);
  const { result } = await openConsole().log(id, { page: 1, pageSize: 10 });
  expect(result.map(({ kind, state, problem }) => [kind, state, problem])).toEqual([
    ['article.withdrawn', 'sent', ''],
    ['comment.created', 'dropped', '内容已不公开'],
    ['article.published', 'dropped', '内容已不公开'],
  ]);
});

test('a failed event holds back later ones about its article, and no other', async () => {
  await add();
  const { articleId } = await stage.write();
  const { articles } = stage.app.services;
  stage.answer = { status: 500, text: 'down' };
  await stage.sendHooks();
  stage.pass(1);
  await articles.edit({ id: articleId, ...ARTICLE, content: '空山不见人' }, stage.author);
  const other = await articles.create({ ...ARTICLE, title: '竹里馆' }, stage.author);
  stage.answer = { status: 200, text: '' };
  stage.bodies.length = 0;
  expect((await sendAll()).map(({ type, data }) => [type, data['id']])).toEqual([
    ['article.published', other.id],
  ]);
  // Held back, not overdue: the doctor would report a server that does not send.
  expect(await countOverdueDeliveries(stage.app.db.read, stage.now())).toEqual([]);
  stage.pass(HOUR_MS);
  stage.bodies.length = 0;
  expect(typesOf(await sendAll())).toEqual(['article.published', 'comment.created', 'article.updated']);
});

test('the log lists what was sent, and sends it again under the same id', async () => {
  const hook = await add();
  await stage.write();
  await sendAll();
  const console = openConsole();
  const log = () => console.log(hook.id, { page: 1, pageSize: 10 });
  const { result, total } = await log();
  expect([total, result.map(({ kind, state }) => [kind, state])]).toEqual([
    2,
    [
      ['comment.created', 'sent'],
      ['article.published', 'sent'],
    ],
  ]);
  expect(await console.retry(result.map(({ id }) => id))).toBe(2);
  await sendAll();
  const ids = stage.site.asked.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([result[1]?.id, result[0]?.id, result[1]?.id, result[0]?.id]);
  await expect(console.log('f'.repeat(24), { page: 1, pageSize: 10 })).rejects.toMatchObject({
    code: 'WEBHOOK_NOT_FOUND',
  });
});

test('a sign-up is an event; imported articles are none', async () => {
  await add();
  await stage.notify({ kind: 'signup', username: '裴迪', path: '/user/info/裴迪' });
  await stage.app.services.articles.create({ ...ARTICLE, isUntold: true }, stage.author);
  expect((await sendAll()).map(({ type, data }) => [type, data['username']])).toEqual([
    ['user.created', '裴迪'],
  ]);
});

test('a secret is base64 after whsec_, or any text', async () => {
  await expect(add({ secret: 'whsec_short' })).rejects.toMatchObject({
    code: 'FIELD_INVALID',
    field: 'secret',
  });
  const { id } = await add({ secret: '自己编的一串' });
  await stage.notices.testWebhook(id);
  const { headers = {} } = stage.site.asked[0] ?? {};
  const sent = new Date(Number(headers['webhook-timestamp']) * 1000);
  const verifier = new Webhook(Buffer.from('自己编的一串'), { format: 'raw' });
  expect(headers['webhook-signature']).toBe(verifier.sign(id, sent, stage.bodies[0] ?? ''));
});

describe('webhooks of an author', () => {
  const own = () =>
    createOwnWebhooks({ db: stage.app.db, notices: stage.notices, outside: stage.site.outside });
  const OWN: ContentNotice[] = ['article.published', 'comment.created'];

  test('report the author’s articles and the comments on them, and nothing else', async () => {
    await add({ kinds: OWN }, stage.author.id);
    await add({ kinds: OWN, name: '别人的' }, stage.reader.id);
    await stage.write();
    await stage.notify({ kind: 'signup', username: '裴迪', path: '/user/info/裴迪' });
    expect(typesOf(await sendAll())).toEqual(['article.published', 'comment.created']);
  });

  test('exist for their owner alone, not for the operator’s calls', async () => {
    const hook = await add({ kinds: OWN }, stage.author.id);
    await stage.write();
    await sendAll();
    const { result } = await own().log(hook.id, { page: 1, pageSize: 10 }, stage.author);
    expect(result).toHaveLength(2);
    const ids = result.map(({ id }) => id);
    expect(await own().list(stage.reader)).toEqual([]);
    expect(await stage.notices.webhooks.list()).toEqual([]);
    const unknown = { code: 'WEBHOOK_NOT_FOUND' };
    await expect(own().remove(hook.id, stage.reader)).rejects.toMatchObject(unknown);
    await expect(own().test(hook.id, stage.reader)).rejects.toMatchObject(unknown);
    await expect(own().log(hook.id, { page: 1, pageSize: 10 }, stage.reader)).rejects.toMatchObject(unknown);
    const mine = await add({ kinds: OWN }, stage.reader.id);
    expect(await own().retry(mine.id, ids, stage.reader)).toBe(0);
    expect(await own().retry(hook.id, ids, stage.author)).toBe(2);
  });

  test('never reach the operator’s network, and are at most five', async () => {
    const { port } = new URL(stage.site.urlOf('hooks.example.com', '/'));
    const outside = createOutside({ privateHosts: [`127.0.0.1:${port}`] });
    await expect(outside.post(`http://127.0.0.1:${port}/`, { body: '', headers: {} })).resolves.toMatchObject(
      {
        status: 200,
      },
    );
    const closed = { body: '', headers: {}, isPublicOnly: true };
    const refusal = { code: 'URL_REFUSED' };
    await expect(outside.post(`http://127.0.0.1:${port}/`, closed)).rejects.toMatchObject(refusal);
    await expect(
      outside.requireReceiver(`http://127.0.0.1:${port}/`, { isPublicOnly: true }),
    ).rejects.toMatchObject(refusal);
    for (let number = 0; number < 5; number++) await add({ kinds: OWN }, stage.author.id);
    await expect(add({ kinds: OWN }, stage.author.id)).rejects.toMatchObject({ code: 'WEBHOOKS_TOO_MANY' });
  });

  test('receive nothing while their owner is banned', async () => {
    const hook = await add({ kinds: OWN }, stage.author.id);
    await stage.write();
    const ban = (until: number | null) =>
      stage.app.db.write((trx) =>
        trx.updateTable('users').set({ banned_until: until }).where('id', '=', stage.author.id).execute(),
      );
    await ban(stage.now() + HOUR_MS);
    expect(await sendAll()).toEqual([]);
    await ban(null);
    const { result } = await own().log(hook.id, { page: 1, pageSize: 10 }, stage.author);
    expect(result.map(({ state, problem }) => [state, problem])).toEqual([
      ['dropped', '通知地址已停用'],
      ['dropped', '通知地址已停用'],
    ]);
  });

  test('end with their owner’s account', async () => {
    await add({ kinds: OWN }, stage.author.id);
    await stage.write();
    await stage.app.db.write((trx) => own().removeAll(trx, stage.author.id));
    expect(await own().list(stage.author)).toEqual([]);
    expect(await sendAll()).toEqual([]);
  });
});
