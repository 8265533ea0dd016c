import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listFailing } from '../../src/lib/server/notices/delivery-queries.ts';
import { createNoticeConsole } from '../../src/lib/server/notices/notice-console.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import { ARTICLE, newKey, ORIGIN, setNoticeStage } from './notice-stage.ts';
import { HOUR_MS } from '../../src/lib/contract/rules/units.ts';

const stage = setNoticeStage();
const { pass, open, notify, sendHooks, count, write, commentEvent } = stage;

describe('webhooks', () => {
  const SECRET = 'a secret of both sides';
  const add = (fields: object = {}) =>
    stage.app.db.write((trx) =>
      stage.notices.webhooks.save(trx, null, {
        name: '值班',
        format: 'json',
        kinds: ['comment', 'report'],
        isOn: true,
        url: stage.site.urlOf('hooks.example.com', '/in?key=geheim'),
        secret: SECRET,
        ...fields,
      }),
    );

  test('receive the subscribed events, signed, and never show URL or secret again', async () => {
    const hook = await add();
    expect(JSON.stringify(await stage.notices.webhooks.list())).not.toMatch(/geheim|a secret/);
    const [row] = await stage.storage.rows('select * from webhooks');
    expect(JSON.stringify(row)).not.toMatch(/geheim|a secret/);
    expect(hook).toMatchObject({
      place: new URL(stage.site.urlOf('hooks.example.com', '/')).origin,
      hasSecret: true,
    });
    const { articleId, commentId } = await write();
    await notify(commentEvent(commentId));
    await notify({ kind: 'signup', username: '裴迪', path: '/user/info/裴迪' });
    expect(await sendHooks()).toBe(1);
    const [body = ''] = stage.bodies;
    const { headers, url } = stage.site.asked[0] ?? {};
    expect(url).toBe('/in?key=geheim');
    expect(JSON.parse(body)).toMatchObject({
      id: headers?.['x-moye-delivery'],
      event: 'comment',
      title: '裴迪 评论了《鹿柴》',
      text: '好诗',
      url: `${ORIGIN}/detail/${articleId}/comment/${commentId}`,
    });
    const signature = createHmac('sha256', SECRET).update([headers?.['x-moye-timestamp'], body].join('.'));
    expect(headers?.['x-moye-signature']).toBe(`sha256=${signature.digest('hex')}`);
  });

  test('a non-public comment is sent to no one', async () => {
    await add();
    const { articleId, commentId } = await write();
    await notify(commentEvent(commentId));
    await stage.app.services.articles.edit({ id: articleId, ...ARTICLE, secret: true }, stage.author);
    await sendHooks();
    expect(stage.bodies).toEqual([]);
  });

  test('a failed delivery is retried under the same id; an error in the response counts as failed', async () => {
    await add({ format: 'wecom', secret: '' });
    await notify({ kind: 'report', title: '有人举报', text: '广告', path: '/admin/reports' });
    stage.answer = { status: 502, text: 'bad gateway' };
    await sendHooks();
    expect(await stage.storage.rows('select problem from outbox')).toEqual([
      { problem: '对方回答 502 bad gateway' },
    ]);
    pass(HOUR_MS);
    stage.answer = { status: 200, text: '{"errcode":93000,"errmsg":"invalid webhook url"}' };
    await sendHooks();
    expect(await stage.storage.rows('select problem from outbox')).toEqual([
      { problem: '对方没有收下：93000 invalid webhook url' },
    ]);
    pass(HOUR_MS);
    stage.answer = { status: 200, text: '{"errcode":0,"errmsg":"ok"}' };
    await sendHooks();
    expect(await count('sent')).toBe(1);
    expect(new Set(stage.bodies).size).toBe(1);
  });

  test('a failing target is named after the first failure, until its deliveries succeed', async () => {
    const { id } = await add();
    const silent = await add({ name: '夜班', kinds: ['signup'] });
    const failing = async () => [...(await listFailing(stage.app.db.read))];
    stage.answer = { status: 502, text: 'bad gateway' };
    for (const title of ['有人举报', '又有人举报'])
      await notify({ kind: 'report', title, text: '', path: '/admin/reports' });
    expect(await failing()).toEqual([]);
    await sendHooks();
    expect(await failing()).toEqual([
      [
        id,
        { waiting: 2, tries: 1, problem: '对方回答 502 bad gateway', due_time: expect.any(Number) as number },
      ],
    ]);
    const { webhooks } = await createNoticeConsole({
      db: stage.app.db,
      notices: stage.notices,
      outside: stage.site.outside,
      audit: stage.app.services.audit,
    }).overview();
    expect(webhooks.map(({ id, failing }) => [id, failing?.problem])).toEqual([
      [id, '对方回答 502 bad gateway'],
      [silent.id, undefined],
    ]);
    pass(HOUR_MS);
    stage.answer = { status: 200, text: '' };
    await sendHooks();
    expect(await failing()).toEqual([]);
  });

  test('neither a private address nor a redirect to one is requested', async () => {
    const outside = createOutside({ resolve: async () => ['10.0.0.7'] });
    await expect(outside.post('http://intern.example.com/', { body: '', headers: {} })).rejects.toMatchObject(
      {
        code: 'URL_REFUSED',
      },
    );
    const hook = await add();
    stage.answer = { status: 307, text: '', location: 'http://169.254.169.254/latest/meta-data' };
    await expect(stage.notices.testWebhook(hook.id)).rejects.toMatchObject({ code: 'URL_REFUSED' });
    stage.answer = { status: 302, text: '', location: stage.site.urlOf('hooks.example.com', '/other') };
    await expect(stage.notices.testWebhook(hook.id)).rejects.toThrow('对方回答 302');
    expect(stage.site.asked).toHaveLength(2);
  });

  test('an omitted URL or secret stays; both can be replaced', async () => {
    const { id } = await add();
    const fields = { name: '改名', format: 'json', kinds: [], isOn: true } as const;
    const changed = await stage.app.db.write((trx) => stage.notices.webhooks.save(trx, id, fields));
    expect(changed).toMatchObject({ id, name: '改名', hasSecret: true, kinds: [] });
    await stage.notices.testWebhook(id);
    expect(stage.site.asked[0]?.url).toBe('/in?key=geheim');
    expect(JSON.parse(stage.bodies[0] ?? '')).toMatchObject({ event: 'test' });
    await stage.app.db.write((trx) => stage.notices.webhooks.remove(trx, id));
    const gone = stage.app.db.write((trx) => stage.notices.webhooks.save(trx, id, fields));
    await expect(gone).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    const empty = add({ secret: '' });
    await expect(empty).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'secret' });
  });

  test('with another TOKEN_SECRET nothing is sent, and the operator sees why', async () => {
    await add();
    await notify({ kind: 'report', title: '有人举报', text: '', path: '/admin/reports' });
    stage.keys.webhooks = newKey();
    stage.notices = open();
    await sendHooks();
    expect(stage.bodies).toEqual([]);
    const [item] = (await stage.notices.listDeliveries('dead', { offset: 0, limit: 10 })).items;
    expect(item?.problem).toContain('TOKEN_SECRET');
  });
});
