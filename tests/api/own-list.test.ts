import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Fields, type Person, type TestServer } from './server.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0';
/** User agent of another browser at the same address. */
const browser = (index: number) => `${BROWSER} Edition/${index}`;

let server: TestServer;
let author: Person;
let other: Person;
let ids: Record<'moon' | 'rain' | 'secret' | 'draft', string>;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  other = await server.join('裴迪');
  const write = async (fields: Fields) =>
    done(await server.post('/api/page/new', { content: '正文', status: 'normal', ...fields }, author.token))
      .id;
  ids = {
    moon: await write({ title: 'B 明月 100%', content: '松间照', tags: ['诗', '夜'], pinned: true }),
    rain: await write({ title: 'A 山雨 Rain', tags: ['诗'] }),
    secret: await write({ title: 'C 私下', tags: ['夜'], secret: true }),
    draft: await write({ title: '没写完的明月', tags: ['诗'], status: 'draft' }),
  };
  await server.comment(other, ids.rain);
  done(
    await server.post(
      '/api/page/revision',
      { id: ids.rain, title: 'A', content: '改', tags: ['诗'] },
      author.token,
    ),
  );
});
afterAll(() => server?.close());

const list = async (fields: Fields, person = author) => {
  const { result, total } = done(await server.post('/api/page/limitpagelist', fields, person.token));
  expect(total).toBe(result.length);
  return (result as { title: string }[]).map(({ title }) => title.slice(0, 1)).join('');
};

describe('the list of one’s own articles', () => {
  test.each<[Fields, string]>([
    [{}, 'CAB'],
    [{ keywords: '明月' }, 'B'],
    [{ keywords: '松间' }, 'B'],
    [{ keywords: 'rain 诗' }, 'A'],
    [{ keywords: '0%' }, 'B'],
    [{ keywords: '%' }, 'B'],
    [{ keywords: '_' }, ''],
    [{ keywords: `'"\\` }, ''],
    [{ tag: '夜' }, 'CB'],
    [{ tag: '夜', secret: true }, 'C'],
    [{ tag: '没有的' }, ''],
    [{ state: 'pinned' }, 'B'],
    [{ state: 'changed' }, 'A'],
    [{ state: 'scheduled' }, ''],
    [{ state: 'unpublished', status: 'draft' }, '没'],
    [{ state: 'withdrawn', status: 'draft' }, ''],
    [{ sort: 'title' }, 'ABC'],
    [{ sort: 'comment_num' }, 'ACB'],
    [{ sort: 'nonsense', state: 'nonsense' }, 'CAB'],
  ])('%j holds %s', async (fields, titles) => expect(await list(fields)).toBe(titles));

  test('shows others public articles only, without read counts', async () => {
    const { result } = done(
      await server.post('/api/page/limitpagelist', { content: '王维', keywords: '私下' }, other.token),
    );
    expect(result.map(({ _id }: { _id: string }) => _id)).not.toContain(ids.secret);
    for (const item of result) expect(item).not.toHaveProperty('read_num');
  });
});

describe('reads', () => {
  const visit = async (
    headers: Record<string, string> = {},
    method = 'GET',
    path = `/detail/${ids.moon}`,
  ) => {
    const answer = await fetch(server.url + path, { method, headers: { 'User-Agent': BROWSER, ...headers } });
    await answer.text();
    return answer.status;
  };
  const reads = async () => {
    await server.app.reads.flush();
    const { result } = done(await server.post('/api/page/limitpagelist', { keywords: '明月' }, author.token));
    return result[0].read_num;
  };

  test('are counted for viewed pages, cached or not, signed in or not', async () => {
    expect(await reads()).toBe(0);
    for (let count = 0; count < 3; count++) await visit({ 'User-Agent': browser(count) });
    await visit({ 'User-Agent': browser(3), Cookie: `user=${encodeURIComponent('裴迪')}` });
    expect(await reads()).toBe(4);
    await visit({ 'User-Agent': browser(4) });
    expect(await reads()).toBe(5);
    // Repeated visits by the same browsers on the same day.
    for (let count = 0; count < 5; count++) await visit({ 'User-Agent': browser(count) });
    expect(await reads()).toBe(5);
    const rows = await server.rows('select article_id, reads from article_reads');
    expect(rows.map((row) => [row['article_id'], Number(row['reads'])])).toEqual([[ids.moon, 5]]);
    const sorted = await list({ sort: 'read_num' });
    expect(sorted[0]).toBe('B');
  });

  test('are not counted for the author, bots, prefetches, HEAD, 304 and 404', async () => {
    const before = await reads();
    await visit({ 'User-Agent': browser(6), Cookie: `user=${encodeURIComponent('王维')}` });
    await visit({ 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
    await visit({ 'User-Agent': 'curl/8.5.0' });
    await visit({ 'Sec-Purpose': 'prefetch' });
    await visit({}, 'HEAD');
    expect(await visit({ 'If-None-Match': '*' })).toBe(304);
    await visit({}, 'GET', `/detail/${'0'.repeat(24)}`);
    await visit({}, 'GET', `/detail/${ids.secret}`);
    expect(await reads()).toBe(before);
  });

  test('of two processes add up, and are deleted with the article', async () => {
    const before = await reads();
    await server.app.db.write(async (trx) => {
      await trx
        .updateTable('articles')
        .set((eb) => ({ read_num: eb('read_num', '+', 7) }))
        .where('id', '=', ids.moon)
        .execute();
    });
    await visit({ 'User-Agent': browser(5) });
    expect(await reads()).toBe(before + 8);
    await server.post('/api/page/delete', { id: ids.moon }, author.token);
    done(await server.post('/api/page/purge', { id: ids.moon }, author.token));
    expect(await server.rows('select * from article_reads')).toEqual([]);
  });
});
