import { parseFeed } from '@rowanmanning/feed-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locationsIn, openSite, ORIGIN } from './discovery-stage.ts';
import { solve } from '../proof.ts';
import { done, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await openSite();
  editor = await server.join('王维');
  await server.app.services.roles.set('王维', 'editor', null);
});
afterAll(() => server?.close());

const call = async (path: string, fields: Fields = {}) => done(await server.post(path, fields, editor.token));
const open = async (path: string) => {
  const { status, text, headers } = await server.send(path);
  return { status, text, to: headers.get('location'), type: headers.get('content-type') };
};
const apply = async (fields: Fields) =>
  server.post('/api/friend/apply', { ...fields, check: await solve(done(await server.post('/api/check'))) });
const listed = async () => done(await server.post('/api/page/friends')).friends;
const HOSTILE = '<script>alert(1)</script>"&';

test('a site without friends says so, and is in no sitemap', async () => {
  expect((await open('/friends')).text).toContain('还没有友链');
  expect((await open('/friends/circle')).text).toContain('还没有文章');
  expect(locationsIn((await open('/sitemap/pages-0.xml')).text)).not.toContain(`${ORIGIN}/friends`);
  expect((await open('/friends.opml')).text).toContain('<body');
});

test('a visitor applies, staff accepts, and the cached page shows the friend', async () => {
  const fields = {
    name: HOSTILE,
    url: 'https://pei.example/',
    description: '辋川',
    feed: 'https://pei.example/f',
  };
  expect(done(await apply({ ...fields, email: 'pei@pei.example' }))).toBe('已收到申请，谢谢你');
  expect((await server.post('/api/staff/friends')).status).toBe(402);
  expect(await listed()).toEqual([]);
  const [application] = (await call('/api/staff/friends')).friends;
  expect(application).toMatchObject({ ...fields, state: 'applied', email: 'pei@pei.example', group: '' });
  expect((await open('/friends')).text).not.toContain('辋川');
  await call('/api/staff/friend/save', { ...fields, id: application._id, group: '诗人' });
  const friend = { ...fields, logo: '', group: '诗人', is_unreachable: false };
  expect(await listed()).toEqual([friend]);
  const { text } = await open('/friends');
  expect(text).toContain('辋川');
  expect(text).toContain('href="https://pei.example/"');
  expect(text).toContain('诗人');
  expect(text).not.toContain('<script>alert(1)');
  expect(text).not.toContain('pei@pei.example');
  expect(locationsIn((await open('/sitemap/pages-0.xml')).text)).toEqual(
    expect.arrayContaining([`${ORIGIN}/friends`, `${ORIGIN}/friends/circle`]),
  );
  const opml = await open('/friends.opml');
  expect(opml.type).toBe('text/x-opml; charset=utf-8');
  expect(opml.text).toContain('xmlUrl="https://pei.example/f"');
  expect(opml.text).toContain('<outline text="诗人">');
  expect((await apply({ name: '又是', url: 'https://www.pei.example/x' })).field).toBe('url');
});

describe('the circle', () => {
  const TIME = Date.UTC(2026, 6, 6, 8);
  beforeAll(async () => {
    const [row] = await server.rows("select id from friends where state = 'shown'");
    const friend_id = String(row?.['id']);
    await server.app.db.write(async (trx) => {
      const rows = Array.from({ length: 35 }, (_, index) => ({
        id: index.toString(16).padStart(24, '0'),
        friend_id,
        title: (index === 34 ? HOSTILE : `第 ${index} 篇`) as never,
        url: `https://pei.example/${index}?a=1&b=2`,
        // Some articles have the same time.
        publish_time: TIME + Math.floor(index / 3),
      }));
      await trx.insertInto('friend_entries').values(rows).execute();
      server.app.events.emit(trx, { type: 'friends-changed' });
    });
  });

  test('is paged by a cursor, each article once', async () => {
    const first = done(await server.post('/api/page/friends/circle'));
    expect(first.entries).toHaveLength(30);
    const second = done(await server.post('/api/page/friends/circle', { before: first.next }));
    expect(second.next).toBe('');
    const urls = [...first.entries, ...second.entries].map(({ url }) => url);
    expect(urls).toEqual(
      Array.from({ length: 35 }, (_, index) => `https://pei.example/${34 - index}?a=1&b=2`),
    );
    const page = await open(`/friends/circle/${first.next}`);
    expect(page.text).toContain('第 0 篇');
    expect(page.text).not.toContain('更早的文章');
    expect((await open('/friends/circle')).text).toContain(`href="/friends/circle/${first.next}"`);
  });

  test.each(['x', '1-2', `1-${'0'.repeat(24)}`, `${TIME}-${'g'.repeat(24)}`, `${TIME}-${'0'.repeat(24)}/x`])(
    'has no page %s',
    async (before) => {
      expect(await open(`/friends/circle/${before}`)).toMatchObject({ status: 302, to: '/404' });
    },
  );

  test('is an Atom feed, whose entries belong to the friends', async () => {
    const { text, type } = await open('/friends/circle.xml');
    expect(type).toBe('application/xml; charset=utf-8');
    const feed = parseFeed(text);
    expect(feed.items).toHaveLength(30);
    // The library leaves numeric references in attributes.
    expect(feed.items[0]?.url?.replace('&#x26;', '&')).toBe('https://pei.example/34?a=1&b=2');
    expect(feed.items[0]?.toJSON()).toMatchObject({
      title: HOSTILE,
      authors: [{ name: HOSTILE, url: 'https://pei.example/' }],
      published: new Date(TIME + 11).toISOString(),
    });
  });

  test('and the page leave out a hidden friend at once', async () => {
    const [{ _id: id }] = (await call('/api/staff/friends')).friends;
    await call('/api/staff/friend/decide', { id, action: 'hide' });
    expect((await open('/friends')).text).toContain('还没有友链');
    expect((await open('/friends/circle')).text).not.toContain('第 20 篇');
    expect(parseFeed((await open('/friends/circle.xml')).text).items).toEqual([]);
  });
});
