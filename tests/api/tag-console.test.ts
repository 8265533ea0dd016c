import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, openServer, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let editor: Person;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  [editor, author] = [await server.join('老赵'), await server.join('王维')];
  await server.app.services.roles.set('老赵', 'editor', null);
});
afterAll(() => server?.close());

const ask = (path: string, fields: Fields) => server.post(`/api/staff/${path}`, fields, editor.token);
const idOf = async (name: string): Promise<string> =>
  done(await ask('tags', { keywords: name })).result.find((tag: { name: string }) => tag.name === name)._id;
const path = (name: string) => `/tag/detail/${encodeURIComponent(name)}`;

test('pages, feeds and calls with a former name redirect to the tag, and cached pages show the new one', async () => {
  const id = await server.write(author, { tags: ['诗'] });
  expect((await server.send(path('诗'))).status).toBe(200);
  expect((await server.send(`/detail/${id}`)).text).toContain(path('诗'));
  expect(done(await ask('tag/rename', { id: await idOf('诗'), name: ' 诗歌 ' }))).toEqual({
    name: '诗歌',
    former: '诗',
  });
  const old = await server.send(`${path('诗')}?page=1`);
  expect([old.status, old.headers.get('location')]).toEqual([302, path('诗歌')]);
  expect((await server.send(`/detail/${id}`)).text).toContain(path('诗歌'));
  expect((await server.send(`/feed${path('诗').replace('/detail', '')}/feed.xml`)).text).toContain('诗歌');
  expect(done(await server.post('/api/tag/tagdetail', { name: '诗' })).name).toBe('诗歌');
  const list = { type: 'tag', content: '诗' };
  expect(done(await server.post('/api/page/pagelist', list)).total).toBe(1);
});

test('wrong input is refused with a message', async () => {
  await server.write(author, { tags: ['甲', '乙'] });
  const id = await idOf('甲');
  const codes = await Promise.all(
    (
      [
        ['tag/rename', { id, name: '乙' }],
        ['tag/rename', { id, name: '' }],
        ['tag/rename', { id, name: '长'.repeat(31) }],
        ['tag/rename', { id: 'x', name: '丙' }],
        ['tag/merge', { ids: [], into: '乙' }],
        ['tag/merge', { ids: Array.from({ length: 101 }, () => id), into: '乙' }],
        ['tag/merge', { ids: [id], into: '没有这个' }],
        ['tag/describe', { id, description: '长'.repeat(301) }],
        ['tag/describe', { id: '0'.repeat(24), description: '' }],
        ['tag/delete', { id }],
      ] as const
    ).map(async ([call, fields]) => (await ask(call, fields)).error),
  );
  expect(codes).toEqual([
    'TAG_TAKEN',
    ...Array.from({ length: 5 }, () => 'FIELD_INVALID'),
    'TAG_NOT_FOUND',
    'FIELD_INVALID',
    'TAG_NOT_FOUND',
    'TAG_IN_USE',
  ]);
});

test('the seal follows the site’s name, and the operator may choose another or none, at once', async () => {
  const operator = await server.join('老孙');
  await server.app.services.roles.set('老孙', 'operator', null);
  const id = await server.write(operator, { title: '印章' });
  const sealOn = async () => {
    const [, seal = null] =
      /class="seal"[^>]*>\s*([^<]*?)\s*</.exec((await server.send(`/detail/${id}`)).text) ?? [];
    const card = await server.send(`/og/${id}.png`);
    return [seal, card.headers.get('etag')];
  };
  const change = async (fields: Fields) =>
    done(await server.post('/api/staff/site/change', fields, operator.token));
  const before = await sealOn();
  expect(before[0]).toBe('墨');
  await change({ title: '《纸上》' });
  const named = await sealOn();
  await change({ seal: '山' });
  const own = await sealOn();
  await change({ seal: 'none' });
  const none = await sealOn();
  expect([named[0], own[0], none[0]]).toEqual(['纸', '山', null]);
  expect(new Set([before[1], named[1], own[1], none[1]]).size).toBe(4);
  await change({ seal: '', title: '墨页' });
  expect(await sealOn()).toEqual(before);
});

const entry = (href: string, place: string) => ({ text: '某项', href, place });

test('a changed site name appears on pages at once, and wrong input is refused', async () => {
  const operator = await server.join('老王');
  await server.app.services.roles.set('老王', 'operator', null);
  const change = (fields: Fields) => server.post('/api/staff/site/change', fields, operator.token);
  expect((await server.send('/home')).text).toContain('<title>墨页</title>');
  const links = JSON.stringify([{ text: '关于', href: '/archive' }]);
  done(
    await change({ title: '纸上谈', footer: '页脚', links, accent: '#7B2D8B', nav: '{"/lab/list":null}' }),
  );
  const { text } = await server.send('/home');
  for (const each of ['<title>纸上谈</title>', '页脚', 'href="/archive"', '/accent.css?v='])
    expect(text).toContain(each);
  expect(text).not.toContain('实验室');
  expect(done(await server.send('/api/site')).title).toBe('纸上谈');
  const wrong = [
    { title: '' },
    { title: '两\n行' },
    { footer: '长'.repeat(301) },
    { police_beian: '随便' },
    { licence: 'mine' },
    { accent: 'red' },
    { seal: '山居' },
    { look: '画册' },
    { look: '{"name":"x"}' },
    { style: 'p'.repeat(32 * 1024 + 1) },
    { seal: '<svg onload="alert(1)">' },
    { links: '[{"text":"坏","href":"javascript:alert(1)"}]' },
    { links: '{' },
    { nav: '{"/nowhere":"x"}' },
    { navigation: '[{"text":"坏","href":"javascript:alert(1)","place":"header"}]' },
    { navigation: '[{"text":"坏","href":"//evil.example","place":"header"}]' },
    { navigation: '[{"text":"坏","href":"/a","place":"header"},{"text":"再","href":"/a","place":"footer"}]' },
    { navigation: JSON.stringify(Array.from({ length: 41 }, (_, n) => entry(`/p/${n}`, 'header'))) },
  ];
  for (const fields of wrong) {
    const refused = await change(fields);
    expect([refused.error, refused.field]).toEqual(['FIELD_INVALID', Object.keys(fields)[0]]);
  }
  const logo = await server.post('/api/staff/site/logo', { logo: 'bm90IGEgcGljdHVyZQ==' }, operator.token);
  expect(logo.error).toBe('LOGO_UNUSABLE');
  done(await change({ links: '[]', title: '墨页' }));
  expect((await server.send('/home')).text).not.toContain('关于');
  const list = [entry('/p/about', 'footer'), entry('/tag/list', 'hidden'), entry('/p/links', 'header')];
  done(await change({ navigation: JSON.stringify(list) }));
  const { text: own } = await server.send('/home');
  const order = [
    '"/p/links"',
    '"/home"',
    '"/changelog"',
    '</header>',
    '"/p/about"',
    '"/archive"',
    '"/feed.xml"',
  ];
  const places = order.map((part) => own.lastIndexOf(part));
  expect(places.includes(-1)).toBe(false);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(own.slice(0, own.indexOf('</header>'))).not.toContain('href="/tag/list"');
  expect(done(await server.send('/api/site'))).toMatchObject({
    nav: { '/tag/list': null },
    links: [{ href: '/p/links' }],
  });
  done(await change({ nav: '{}', links: '[]' }));
  expect((await server.send('/home')).text).not.toContain('/p/links');
});
