import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { done, openServer, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let operator: Person;
let editor: Person;
let author: Person;
beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: '1' });
  [operator, editor, author] = [
    await server.join('掌柜甲'),
    await server.join('伙计乙'),
    await server.join('作者丙'),
  ];
  await server.app.services.roles.set('掌柜甲', 'operator', null);
  await server.app.services.roles.set('伙计乙', 'editor', null);
});
afterAll(() => server?.close());

const keep = (keepOrigins: number) =>
  server.post('/api/staff/options/change', { keepOrigins }, operator.token);
const find = (keywords: string, token = operator.token) =>
  server.post('/api/staff/origins', { keywords }, token);
const listed = async (keywords: string) =>
  done(await find(keywords)).result.map(({ kind, username, address }: Untyped) => [kind, username, address]);

/** Sends a call as a client at `address` behind the proxy. */
const from = (address: string, path: string, fields: object) =>
  server.send(path, {
    method: 'POST',
    headers: {
      Authorization: `Beare ${author.token}`,
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
    },
    body: JSON.stringify(fields),
  });
const ARTICLE = { title: '鹿柴', content: '空山', tags: ['诗'], type: '', secret: false, status: 'normal' };

describe('addresses of posts', () => {
  test('are not recorded by default', async () => {
    await from('203.0.113.1', '/api/page/new', ARTICLE);
    expect(await server.rows('select * from post_origins')).toEqual([]);
    expect(done(await find('作者丙'))).toEqual({ result: [], total: 0 });
  });

  test('of articles and comments are recorded while the operator wants it, and found', async () => {
    done(await keep(180));
    const made = JSON.parse((await from('203.0.113.1', '/api/page/new', ARTICLE)).text);
    const { id } = made.data;
    await from('203.0.113.2', '/api/page/new', { ...ARTICLE, status: 'draft' });
    await from('203.0.113.3', '/api/page/edit', { ...ARTICLE, id, content: '空山不见人' });
    await from('2001:db8::7', '/api/comment/create', {
      page_id: id,
      content: '好诗',
      reply_user: '',
      reply_content: '',
      request_id: '',
    });
    expect(await listed('作者丙')).toEqual([
      ['comment', '作者丙', '2001:db8::7'],
      ['article', '作者丙', '203.0.113.3'],
      ['article', '作者丙', '203.0.113.1'],
    ]);
    expect(await listed('203.0.113.3')).toHaveLength(1);
    expect(await listed(id)).toHaveLength(2);
    expect(await listed('作者')).toEqual([]);
  });

  test('are read by operators only, and every reading is in the audit log', async () => {
    for (const { token } of [editor, author]) expect((await find('作者丙', token)).error).toBe('NOT_ALLOWED');
    done(await find('作者丙'));
    const [entry] = await server.rows(
      "select actor_name, after from audit_log where action = 'origin.read' order by create_time desc, id desc",
    );
    expect(entry).toEqual({ actor_name: '掌柜甲', after: '{"keywords":"作者丙","count":3}' });
    expect((await find('')).error).toBe('FIELD_INVALID');
  });

  test('are deleted after the chosen time, and when the operator no longer wants them', async () => {
    const { origins } = server.app.services;
    const count = async () => (await server.rows('select id from post_origins')).length;
    await server.app.db.write((trx) =>
      trx
        .updateTable('post_origins')
        .set({ create_time: Date.now() - 181 * DAY_MS })
        .where('kind', '=', 'comment')
        .execute(),
    );
    await origins.purgeExpired();
    expect(await count()).toBe(2);
    for (const wrong of [-1, 4000, 1.5]) expect((await keep(wrong)).error).toBe('FIELD_INVALID');
    done(await keep(0));
    await origins.purgeExpired();
    expect(await count()).toBe(0);
  });
});
