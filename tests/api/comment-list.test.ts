import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { fillThread } from './long-thread.ts';
import { done, openServer, type Answer, type Fields, type Person, type TestServer } from './server.ts';

const LIST = '/api/comment/getpagecommentlist';
const MEGABYTE = 1_000_000;

let server: TestServer;
let author: Person;
let writer: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  writer = await server.join('裴迪');
});
afterAll(() => server?.close());

type Listed = { _id: string; content: string; is_read: boolean; position?: number };
const listOf = (page_id: string, fields: Fields = {}, token?: string) =>
  server.post(LIST, { page_id, ...fields }, token);
const under = async (page_id: string, fields: Fields = {}, token?: string): Promise<Listed[]> =>
  done(await listOf(page_id, fields, token));
const contents = (comments: readonly Listed[]) => comments.map(({ content }) => content);

/** Creates an article with `count` comments by `writer`; the text of the newest ends with `count`. */
async function openThread(count: number, text = (number: number) => `第 ${number} 条`): Promise<string> {
  const id = await server.write(author);
  await fillThread(server.app, { articleId: id, writer: writer.username, count, text });
  return id;
}

describe('the comments of a long thread', () => {
  const TOTAL = 1234;
  let id: string;
  beforeAll(async () => {
    id = await openThread(TOTAL);
  });
  const numbers = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => `第 ${from - index} 条`);

  test('without a page are the newest 500, in the legacy envelope and fields', async () => {
    const answer = await listOf(id);
    expect(contents(done(answer))).toEqual(numbers(TOTAL, TOTAL - 499));
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['code', 'data']);
    expect(done(answer)[0]).not.toHaveProperty('position');
    for (const nothing of ['', 'undefined', 'null'])
      expect(contents(await under(id, { page: nothing, pageSize: nothing }))).toHaveLength(500);
  });

  test('are paged, each exactly once, with the total', { tags: ['once'] }, async () => {
    for (const pageSize of [40, 100]) {
      const seen: Listed[] = [];
      for (let page = 1; seen.at(-1)?.position !== 1; page++)
        seen.push(...(await under(id, { page, pageSize })));
      expect(contents(seen)).toEqual(numbers(TOTAL, 1));
      expect(seen.map(({ position }) => position)).toEqual(
        Array.from({ length: TOTAL }, (_, index) => TOTAL - index),
      );
    }
  });

  test('are clamped to the pages there are, and to 100 a page', async () => {
    const last = numbers(34, 1);
    for (const page of ['13', '14', '99999999999999999999'])
      expect(contents(await under(id, { page, pageSize: 100 }))).toEqual(last);
    expect(contents(await under(id, { page: '-1', pageSize: 'x' }))).toEqual(numbers(TOTAL, TOTAL - 9));
    expect(contents(await under(id, { pageSize: 5000 }))).toEqual(numbers(TOTAL, TOTAL - 99));
    expect(contents(await under(id, { page: 2 }))).toEqual(numbers(TOTAL - 10, TOTAL - 19));
  });
});

test('a page includes the HTML of formatted comments beside the text; the full list does not', async () => {
  const id = await openThread(2, (number) => (number === 2 ? '**粗** <b>' : '只是话'));
  const [marked, plain] = await under(id, { page: 1 });
  expect(marked).toMatchObject({ content: '**粗** <b>', html: '<p><strong>粗</strong> &#x3C;b></p>' });
  expect(plain).not.toHaveProperty('html');
  for (const comment of await under(id)) expect(comment).not.toHaveProperty('html');
});

describe('a response is bounded in bytes', () => {
  test('as sent, cut at a whole comment', async () => {
    // 2,000 characters of four bytes each, and the same number in the quote.
    const id = await openThread(100, (number) => '😀'.repeat(1990) + String(number).padStart(10, '0'));
    const { text, ...answer } = await listOf(id);
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeLessThanOrEqual(MEGABYTE);
    const all = await under(id, { page: 1, pageSize: 100 });
    const listed = contents(done({ text, ...answer }));
    expect(listed).toEqual(contents(all).slice(0, listed.length));
    // One more comment would have exceeded the limit.
    const { position: _, ...next } = all[listed.length] as Listed;
    expect(bytes + Buffer.byteLength(JSON.stringify(next)) + 1).toBeGreaterThan(MEGABYTE);
  });

  test('that a page of 40 never reaches, whatever was written', async () => {
    const id = await openThread(40, () => '\u0001'.repeat(2000));
    const { text } = await listOf(id, { page: 1, pageSize: 40 });
    expect(JSON.parse(text).data).toHaveLength(40);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MEGABYTE);
  });
});

describe('a cached comment page', () => {
  const isCached = (id: string, page = 'newest') => server.app.pageCache?.has(`comments ${id} ${page}`);

  test('is rendered once for concurrent requests, and again after a comment', async () => {
    const id = await openThread(30);
    const renders = () => server.app.pageCache?.numbers().renders ?? 0;
    const before = renders();
    await Promise.all(Array.from({ length: 20 }, () => under(id)));
    await under(id, {}, (await server.join('路过')).token);
    expect(renders()).toBe(before + 1);
    const { _id } = await server.comment(writer, id, { content: '新来的' });
    expect(isCached(id)).toBe(false);
    expect(contents(await under(id))[0]).toBe('新来的');
    done(await server.post('/api/comment/delete', { id: _id }, writer.token));
    expect(contents(await under(id))[0]).toBe('第 30 条');
  });

  test('goes with the article, and names its present title', async () => {
    const id = await openThread(3);
    const edit = async (fields: Fields) =>
      done(
        await server.post(
          '/api/page/edit',
          { id, title: '改名', content: '文', tags: ['诗'], status: 'normal', secret: 'false', ...fields },
          author.token,
        ),
      );
    await under(id);
    await edit({});
    expect(await under(id)).toMatchObject([{ page_title: '改名' }, {}, {}]);
    await edit({ secret: 'true' });
    expect([await under(id), await under(id, {}, writer.token)]).toEqual([[], []]);
    expect(await under(id, {}, author.token)).toHaveLength(3);
    expect(isCached(id)).toBe(false);
    expect(await under(id)).toEqual([]);
    await edit({ status: 'draft' });
    expect([await under(id), await under(id, { page: 1 })]).toEqual([[], []]);
    await edit({});
    expect(await under(id)).toHaveLength(3);
  });

  test('is not stored for articles without comments or for page aliases', async () => {
    const empty = await server.write(author);
    expect(await under(empty)).toEqual([]);
    expect(isCached(empty)).toBe(false);
    const id = await openThread(3);
    await under(id, { page: 7, pageSize: 2 });
    await under(id, { page: 2, pageSize: 2 });
    expect([isCached(id, '7 2'), isCached(id, '2 2')]).toEqual([false, true]);
  });

  test('travels in the encoding that the client takes, compressed once', async () => {
    const id = await openThread(200);
    const plain = (await listOf(id)).text;
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
    for (const [encoding, decode] of Object.entries(decoders)) {
      for (let time = 0; time < 2; time++) {
        const { headers, body } = await askWith(encoding, `page_id=${id}`);
        expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'cache-control': 'no-store',
          vary: expect.stringContaining('Accept-Encoding') as string,
        });
        expect(decode(body).toString()).toBe(plain);
      }
    }
  });
});

describe('each reader sees only their own read marks', () => {
  const TEXTS = ['给作者', '作者答裴迪', '裴迪答作者', '路人答裴迪'];
  let id: string;
  let people: Record<string, string | undefined>;
  let expected: Record<string, boolean[]>;
  beforeAll(async () => {
    const stranger = await server.join('陌生人');
    const passer = await server.join('路人');
    people = {
      visitor: undefined,
      stranger: stranger.token,
      addressee: writer.token,
      writer: passer.token,
      author: author.token,
    };
    id = await server.write(author);
    const put = (person: Person, content: string, reply_user = '') => {
      server.pass(1);
      return server.comment(person, id, { content, reply_user });
    };
    const first = await put(writer, TEXTS[0] ?? '');
    const second = await put(author, TEXTS[1] ?? '', '裴迪');
    await put(writer, TEXTS[2] ?? '', '王维');
    const fourth = await put(passer, TEXTS[3] ?? '', '裴迪');
    const read = async (person: Person, ids: string[]) =>
      done(await server.post('/api/comment/updatecommentstatus', { ids }, person.token));
    await read(author, [first._id]);
    await read(writer, [second._id, fourth._id]);
    // Newest first: 路人答裴迪, 裴迪答作者, 作者答裴迪, 给作者.
    expected = {
      visitor: [false, false, false, false],
      stranger: [false, false, false, false],
      addressee: [true, false, true, true],
      writer: [true, false, false, false],
      author: [false, false, true, true],
    };
  });

  test.each([
    ['one after another', (names: string[]) => names],
    ['in the other order', (names: string[]) => names.toReversed()],
  ])('%s, kept or not', async (_, order) => {
    for (const fields of [{}, { page: 1, pageSize: 3 }] as Fields[]) {
      server.app.pageCache?.invalidate(['site']);
      for (let time = 0; time < 2; time++) {
        for (const name of order(Object.keys(people))) {
          const comments = await under(id, fields, people[name]);
          expect([name, comments.map(({ is_read }) => is_read)]).toEqual([
            name,
            expected[name]?.slice(0, comments.length),
          ]);
          expect(contents(comments)).toEqual(TEXTS.toReversed().slice(0, comments.length));
        }
      }
    }
  });

  test('all at once', async () => {
    server.app.pageCache?.invalidate(['site']);
    const names = Object.keys(people);
    const answers = await Promise.all(names.map((name) => under(id, {}, people[name])));
    expect(Object.fromEntries(names.map((name, at) => [name, answers[at]?.map((it) => it.is_read)]))).toEqual(
      expected,
    );
  });
});

describe('a client over its share', () => {
  test('gets Retry-After, and no other client does', async () => {
    const quiet = await openServer({ PAGE_CACHE_MB: '0', TRUST_PROXY: '1' });
    const held = Promise.withResolvers<void>();
    try {
      const person = await quiet.join('王维');
      const id = await quiet.write(person);
      await fillThread(quiet.app, {
        articleId: id,
        writer: '王维',
        count: 500,
        text: () => '长'.repeat(100),
      });
      const ask = (address: string): Promise<Answer> =>
        quiet.send(LIST, {
          method: 'POST',
          body: new URLSearchParams({ page_id: id }),
          headers: { 'X-Forwarded-For': address },
        });
      const { comments } = quiet.app.services;
      const { newestUnder } = comments;
      vi.spyOn(comments, 'newestUnder').mockImplementationOnce(async function* (...asked) {
        await held.promise;
        yield* newestUnder(...asked);
      });
      // One of the flood's calls reads and does not end, eight wait, and the others are refused.
      const answers: Answer[] = [];
      const flood = Array.from({ length: 60 }, async () => {
        answers.push(await ask('192.0.2.1'));
      });
      await eventually(() => expect(answers).toHaveLength(51));
      for (const { status, data, headers } of answers)
        expect([status, data, Number(headers.get('retry-after'))]).toEqual([
          503,
          '服务暂时不可用，请稍后再试',
          2,
        ]);
      const others = await Promise.all(Array.from({ length: 5 }, (_, index) => ask(`192.0.2.${index + 2}`)));
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      held.resolve();
      await Promise.all(flood);
      // Accepted calls get the complete list.
      for (const answer of answers.slice(51)) expect(done(answer)).toHaveLength(500);
    } finally {
      held.resolve();
      await quiet.close();
    }
  });
});

interface Sent {
  headers: Record<string, unknown>;
  body: Buffer;
}
/** Returns the response as sent over the wire; `fetch` would decompress it. */
function askWith(encoding: string, body: string): Promise<Sent> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    const sent = request(server.url + LIST, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject).end(body);
  });
}
