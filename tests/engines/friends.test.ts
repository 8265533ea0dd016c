import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AddressInfo } from 'node:net';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import { createOutside } from '../../src/lib/server/outside/outside.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { solve } from '../proof.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { openStaffStage, type StaffStage } from './staff-stage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BOMB = gzipSync(Buffer.alloc(50_000_000, 32));

let stage: StaffStage;
let editor: Viewer;
/** Answer of the sites of all friends, by path. */
let answers: Record<string, RequestListener>;
let asked: { host: string; path: string; etag: string | undefined }[];
let port: number;
let close: () => void;

beforeEach(async () => {
  answers = {};
  asked = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ host: request.headers.host ?? '', path, etag: request.headers['if-none-match'] });
    const answer = answers[path];
    if (answer) answer(request, response);
    else response.end('你好');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const outside = createOutside({
    resolve: async (host) => (host.endsWith('.example.com') ? ['127.0.0.1'] : []),
    mayConnect: (address, to) => address === '127.0.0.1' && to === port,
    longestMs: 3_000,
  });
  stage = await openStaffStage({ RATE_LIMIT: 'on' }, outside);
  editor = { ...(await stage.signUp('裴迪')).viewer, role: 'editor' };
});
afterEach(async () => {
  await stage?.close();
  close?.();
});

const friends = () => stage.app.services.friends;
const urlOf = (name: string, path = '/') => `http://${name}.example.com:${port}${path}`;
const prove = async () => solve(await stage.app.services.humans.ask());
let clients = 0;
const apply = async (name: string, more: object = {}, address = `192.0.2.${++clients % 250}`) => {
  const fields = { name, url: urlOf(name), description: '一个博客', logo: '', feed: '' };
  await friends().apply({ ...fields, check: await prove(), ...more }, { address });
};
const blank = { description: '', logo: '', feed: '', group: '' };
const save = (name: string, more: object = {}) =>
  friends().save({ name, url: urlOf(name), ...blank, ...more }, editor);
const all = () => friends().listAll();
const find = async (name: string) => {
  const found = (await all()).find((each) => each.name === name);
  if (!found) throw new Error(`no friend ${name}`);
  return found;
};
const shown = async () => (await friends().list()).map(({ name }) => name);
const titles = async (before?: string) => (await friends().circle(before)).entries.map(({ title }) => title);
const feed = (...items: { title: string; link?: string; date?: Date }[]) =>
  `<rss version="2.0"><channel>${items
    .map(
      ({ title, link = `/${title}`, date = new Date(stage.now() - HOUR) }) =>
        `<item><title>${title}</title><link>${link}</link><pubDate>${date.toUTCString()}</pubDate></item>`,
    )
    .join('')}</channel></rss>`;
const code = (expected: string, more: object = {}) => expect.objectContaining({ code: expected, ...more });

describe('an application', () => {
  test('waits for staff, who accepts it with its own words into a group', async () => {
    await apply('wang', { email: 'wang@example.com' });
    expect(await shown()).toEqual([]);
    expect(await friends().countApplied()).toBe(1);
    const { _id: id, state, email } = await find('wang');
    expect([state, email]).toEqual(['applied', 'wang@example.com']);
    await save('wang', { id, group: '诗人', description: '改过的介绍' });
    expect(await friends().list()).toEqual([
      {
        name: 'wang',
        url: urlOf('wang'),
        description: '改过的介绍',
        logo: '',
        feed: '',
        group: '诗人',
        is_unreachable: false,
      },
    ]);
    expect(await friends().countApplied()).toBe(0);
    expect(stage.events.filter(({ type }) => type === 'friends-changed').length).toBe(2);
    const actions = await stage.rows("select action, after from audit_log where action like 'friend.%'");
    expect(actions).toEqual([
      {
        action: 'friend.accept',
        after: JSON.stringify({ name: 'wang', place: urlOf('wang'), category: '诗人' }),
      },
    ]);
  });

  test('needs a proof, which is used once', async () => {
    await expect(apply('a', { check: undefined })).rejects.toEqual(code('CHECK_NEEDED'));
    await expect(apply('a', { check: 'none' })).rejects.toEqual(code('CHECK_FAILED'));
    const check = await prove();
    await apply('a', { check });
    await expect(apply('b', { check })).rejects.toEqual(code('CHECK_FAILED'));
    expect(await friends().countApplied()).toBe(1);
  });

  test('of the same site replaces the one before, whatever the spelling of its host', async () => {
    await apply('first', { url: 'https://www.Blog.example.com/' });
    await apply('second', { url: 'https://blog.example.com/about' });
    expect((await all()).map(({ name }) => name)).toEqual(['second']);
  });

  test('of a listed site is refused; of one that staff has refused it is not stored again', async () => {
    await save('wang');
    await expect(apply('wang')).rejects.toEqual(code('FIELD_INVALID', { field: 'url' }));
    await apply('spam');
    const { _id: id } = await find('spam');
    await friends().decide({ id, action: 'refuse' }, editor);
    await apply('spam', { name: '又来' });
    expect(await friends().countApplied()).toBe(0);
    expect((await all()).map(({ name }) => name).toSorted()).toEqual(['spam', 'wang']);
    stage.pass(91 * DAY);
    await friends().round();
    expect((await all()).map(({ name }) => name)).toEqual(['wang']);
  });

  test('is refused beyond a hundred open ones, and beyond five an hour of one address', async () => {
    for (let number = 0; number < 5; number++) await apply(`s${number}`, {}, '198.51.100.1');
    await expect(apply('s5', {}, '198.51.100.1')).rejects.toEqual(code('TOO_MANY_REQUESTS'));
    const { db } = stage.app;
    const [row] = await db.read.selectFrom('friends').selectAll().limit(1).execute();
    if (!row) throw new Error('no application');
    await db.write(async (trx) => {
      for (let number = 5; number < 100; number++)
        await trx
          .insertInto('friends')
          .values({
            ...row,
            id: `${row.id.slice(0, 20)}${1000 + number}`,
            host: `s${number}.example.com:${port}`,
          } as never)
          .execute();
    });
    await expect(apply('s100')).rejects.toEqual(code('TOO_MANY_REQUESTS'));
    expect(await friends().countApplied()).toBe(100);
    await apply('again', { url: urlOf('s7') });
    expect(await friends().countApplied()).toBe(100);
  });

  test('with a listed word is refused, and its origin is recorded if the operator wants so', async () => {
    const { words, options, origins } = stage.app.services;
    await words.add(['赌博'], { category: '', action: 'hold' }, null);
    for (const field of ['name', 'description'])
      await expect(apply('bad', { [field]: '来赌博' })).rejects.toEqual(code('WORD_REFUSED', { field }));
    await options.change({ keepOrigins: 60 }, null);
    await apply('wang', {}, '203.0.113.9');
    const { _id: id } = await find('wang');
    const { result } = await origins.list({ keywords: '203.0.113.9', page: 1, pageSize: 10 }, editor.id);
    expect(result).toMatchObject([{ kind: 'friend', id, username: '', address: '203.0.113.9' }]);
  });

  test('of odd values is refused by the contract', () => {
    const { input } = calls.friendApply;
    const good = { name: '王维', url: 'https://wang.example/' };
    expect(input.safeParse(good).success).toBe(true);
    for (const bad of [
      { url: 'javascript:alert(1)' },
      { url: 'https://a:b@wang.example/' },
      { url: '//wang.example' },
      { url: `https://wang.example/${'a'.repeat(200)}` },
      { name: '' },
      { name: '\u202e反' },
      { name: '长'.repeat(51) },
      { feed: 'file:///etc/passwd' },
      { logo: 'data:image/png;base64,AA' },
      { email: '不是邮箱' },
    ])
      expect([bad, input.safeParse({ ...good, ...bad }).success]).toEqual([bad, false]);
  });
});

describe('staff', () => {
  test('orders and groups friends, hides, shows and deletes them', async () => {
    for (const name of ['a', 'b', 'c']) await save(name);
    const ids = new Map((await all()).map(({ name, _id }) => [name, _id]));
    const id = (name: string) => ids.get(name) ?? '';
    const order = (...placed: [string, string][]) =>
      friends().order({ friends: placed.map(([name, group]) => ({ id: id(name), group })) }, editor);
    await order(['c', '诗'], ['a', '画'], ['b', '诗']);
    expect((await friends().list()).map(({ name, group }) => [name, group])).toEqual([
      ['c', '诗'],
      ['a', '画'],
      ['b', '诗'],
    ]);
    for (const wrong of [
      [['a', '']],
      [
        ['a', ''],
        ['a', ''],
        ['b', ''],
      ],
    ] as [string, string][][])
      await expect(order(...wrong)).rejects.toEqual(code('FIELD_INVALID'));
    await friends().decide({ id: id('a'), action: 'hide' }, editor);
    expect(await shown()).toEqual(['c', 'b']);
    await expect(friends().decide({ id: id('a'), action: 'refuse' }, editor)).rejects.toEqual(
      code('FIELD_INVALID'),
    );
    await friends().decide({ id: id('a'), action: 'show' }, editor);
    await friends().decide({ id: id('c'), action: 'delete' }, editor);
    expect(await shown()).toEqual(['a', 'b']);
    await expect(friends().decide({ id: id('c'), action: 'delete' }, editor)).rejects.toEqual(
      code('FIELD_INVALID'),
    );
    await expect(save('c', { id: id('c') })).rejects.toEqual(code('FIELD_INVALID'));
  });

  test('gives a logo of another site, of which a copy is stored', async () => {
    const png = await twoColours(64, 64).png().toBuffer();
    answers['/logo.png'] = (_, response) => response.setHeader('Content-Type', 'image/png').end(png);
    await save('wang', { logo: urlOf('wang', '/logo.png') });
    const [{ logo } = { logo: '' }] = await friends().list();
    expect(logo).toMatch(/^\/api\/file\/[\w-]+-64x64\.png$/);
    const { pictures } = stage.app.services;
    const { result } = await pictures.list({ page: 1, pageSize: 10 }, editor);
    expect(result).toMatchObject([{ url: logo, uses: [{ place: 'friend', title: 'wang' }] }]);
    const names = [logo.replace('/api/file/', '')];
    await expect(pictures.remove({ names, from_history: false }, editor)).rejects.toEqual(
      code('PICTURE_IN_USE'),
    );
    answers['/logo.png'] = (_, response) => response.end('<p>');
    await expect(save('b', { logo: urlOf('b', '/logo.png') })).rejects.toMatchObject({ field: 'logo' });
    await expect(save('b', { logo: '/api/file/none-1x1.png' })).rejects.toEqual(code('FIELD_INVALID'));
    expect(await shown()).toEqual(['wang']);
  });
});

describe('a site', () => {
  test('is unreachable after three failed checks, and recovers by itself', async () => {
    await save('wang');
    await friends().round();
    expect(await find('wang')).toMatchObject({ problem: '', check_time: expect.any(String) });
    stage.pass(6 * DAY);
    await friends().round();
    expect(asked).toHaveLength(1);
    answers['/'] = (_, response) => response.writeHead(502).end();
    for (const [pass, isDead] of [
      [2, false],
      [1, false],
      [1, true],
    ] as const) {
      stage.pass(pass * DAY);
      await friends().round();
      await friends().round();
      expect(await find('wang')).toMatchObject({ is_unreachable: isDead, problem: '网站回答了状态 502' });
    }
    expect(asked).toHaveLength(4);
    const { failing_since = '', check_time = '' } = await find('wang');
    expect(Date.parse(check_time) - Date.parse(failing_since)).toBeGreaterThanOrEqual(2 * DAY);
    delete answers['/'];
    stage.pass(DAY);
    await friends().round();
    const found = await find('wang');
    expect([found.is_unreachable, found.problem, found.failing_since]).toEqual([false, '', undefined]);
  });

  test.each([
    ['of an inside address', 'http://127.0.0.1:1/', '这不是公开网站的地址'],
    ['of an unknown name', 'https://none.invalid.test/', '找不到这个网站，请检查地址'],
  ])('%s is not requested', async (_, url, problem) => {
    await save('wang', { url });
    await friends().round();
    expect(await find('wang')).toMatchObject({ problem });
    expect(asked).toEqual([]);
  });

  test('that refuses programs is alive', async () => {
    answers['/'] = (_, response) => response.writeHead(403).end();
    await save('wang');
    await friends().round();
    expect(await find('wang')).toMatchObject({ problem: '' });
  });
});

describe('the circle', () => {
  const feedOf = (name: string) => ({ feed: urlOf(name, '/feed.xml') });
  const answerFeed = (text: () => string | Buffer, headers: Record<string, string> = {}) =>
    (answers['/feed.xml'] = (_, response) => response.writeHead(200, headers).end(text()));

  test('has the newest articles of shown friends, page by page', async () => {
    const date = (minutes: number) => new Date(stage.now() - minutes * 60_000);
    const many = (name: string) =>
      feed(...Array.from({ length: 25 }, (_, index) => ({ title: `${name}${index}`, date: date(index) })));
    answers['/feed.xml'] = (request, response) => response.end(many(request.headers.host?.slice(0, 1) ?? ''));
    await save('a', feedOf('a'));
    await save('b', feedOf('b'));
    await friends().round();
    const first = await friends().circle(undefined);
    expect(first.entries).toHaveLength(30);
    expect(
      first.entries
        .slice(0, 2)
        .map(({ friend }) => friend)
        .toSorted(),
    ).toEqual(['a', 'b']);
    const second = await friends().circle(first.next);
    expect([second.entries.length, second.next]).toEqual([20, '']);
    const found = [...first.entries, ...second.entries];
    expect(new Set(found.map(({ url }) => url)).size).toBe(50);
    const times = found.map(({ publish_time }) => publish_time);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(found[0]?.url).toBe(urlOf(found[0]?.friend ?? '', `/${found[0]?.title}`));
    await friends().decide({ id: (await find('a'))._id, action: 'hide' }, editor);
    expect(await titles()).toHaveLength(25);
    await friends().decide({ id: (await find('b'))._id, action: 'delete' }, editor);
    expect(await titles()).toEqual([]);
  });

  test('asks each feed once an hour, on condition that it has changed', async () => {
    let text = feed({ title: '鹿柴' });
    answers['/feed.xml'] = (request, response) =>
      request.headers['if-none-match'] === '"1"' && text.includes('鹿柴')
        ? response.writeHead(304).end()
        : response.setHeader('ETag', '"1"').end(text);
    await save('a', feedOf('a'));
    const requests = () => asked.filter(({ path }) => path === '/feed.xml').map(({ etag }) => etag);
    await friends().round();
    await friends().round();
    expect(requests()).toEqual([undefined]);
    expect(await titles()).toEqual(['鹿柴']);
    const events = stage.events.length;
    stage.pass(HOUR);
    await friends().round();
    expect(requests()).toEqual([undefined, '"1"']);
    expect(stage.events).toHaveLength(events);
    expect(await titles()).toEqual(['鹿柴']);
    text = feed({ title: '竹里馆' });
    stage.pass(HOUR);
    await friends().round();
    expect(await titles()).toEqual(['竹里馆']);
    await save('a', { id: (await find('a'))._id, feed: '' });
    expect(await titles()).toEqual([]);
  });

  test('is asked without a condition after a move, which copies no articles', async () => {
    answerFeed(() => feed({ title: '鹿柴' }), { ETag: '"1"' });
    await save('a', feedOf('a'));
    await friends().round();
    await stage.app.db.write(async (trx) => void (await trx.deleteFrom('friend_entries').execute()));
    stage.pass(HOUR);
    await friends().round();
    expect(await titles()).toEqual(['鹿柴']);
  });

  test('leaves out listed words and old articles; times ahead are those of the first reading', async () => {
    await stage.app.services.words.add(['赌博'], { category: '', action: 'hold' }, null);
    const start = stage.now();
    answerFeed(() =>
      feed(
        { title: '来赌博' },
        { title: '去年', date: new Date(start - 400 * DAY) },
        { title: '明年', date: new Date(start + 300 * DAY) },
      ),
    );
    await save('a', feedOf('a'));
    await friends().round();
    const { entries } = await friends().circle(undefined);
    expect(entries.map(({ title }) => title)).toEqual(['明年']);
    const time = Date.parse(entries[0]?.publish_time ?? '');
    expect(Math.abs(time - start)).toBeLessThan(HOUR);
    stage.pass(2 * HOUR);
    await friends().round();
    expect((await friends().circle(undefined)).entries[0]?.publish_time).toBe(entries[0]?.publish_time);
  });

  const hang: RequestListener = (_, response) => void response.writeHead(200).write('<rss>');
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536, 32)));
      response.once('drain', more);
    };
    more();
  };
  test.each<[string, RequestListener, string]>([
    ['hangs', hang, '对方网站太久没有回应'],
    ['never ends', endless, '超过了 1 MB'],
    [
      'announces 1 GB',
      (_, response) => void response.writeHead(200, { 'Content-Length': 2 ** 30 }).write('<rss>'),
      '对方网站太久没有回应',
    ],
    [
      'redirects to an inside address',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      '这不是公开网站的地址',
    ],
    [
      'redirects without end',
      (_, response) => response.writeHead(302, { Location: '/feed.xml' }).end(),
      '这个地址转来转去，没有结果',
    ],
    [
      'is a compressed bomb',
      (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB),
      '不是能读的 RSS 或 Atom',
    ],
    [
      'is deeply nested',
      (_, response) => response.end(`<rss><channel>${'<a>'.repeat(300_000)}`),
      '不是能读的 RSS 或 Atom',
    ],
    ['is missing', (_, response) => response.writeHead(404).end(), '网站回答了状态 404'],
    ['closes the connection', (request) => void request.socket.destroy(), '连不上对方网站'],
  ])('shows staff that a feed %s, and keeps what is known', async (_, broken, problem) => {
    answerFeed(() => feed({ title: '鹿柴' }));
    await save('a', feedOf('a'));
    await friends().round();
    answers['/feed.xml'] = broken;
    stage.pass(HOUR);
    await friends().round();
    expect(await find('a')).toMatchObject({ feed_problem: problem });
    expect(await titles()).toEqual(['鹿柴']);
    // The next attempts are further apart.
    const before = asked.length;
    stage.pass(HOUR);
    await friends().round();
    expect(asked).toHaveLength(before);
    answerFeed(() => feed({ title: '竹里馆' }));
    stage.pass(HOUR);
    await friends().round();
    expect(await find('a')).toMatchObject({ feed_problem: '' });
    expect(await titles()).toEqual(['竹里馆']);
  });
});
