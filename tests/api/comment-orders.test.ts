import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillThread } from './long-thread.ts';
import { done, openServer, type Fields, type Person, type TestServer } from './server.ts';

const TOTAL = 620;

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await openServer();
  const author = await server.join('王维');
  id = await server.write(author);
  const text = (number: number) => `第 ${number} 条`;
  await fillThread(server.app, { articleId: id, writer: author.username, count: TOTAL, text });
});
afterAll(() => server?.close());

type Listed = { content: string; position?: number };
const under = async (fields: Fields): Promise<Listed[]> =>
  done(await server.post('/api/comment/getpagecommentlist', { page_id: id, ...fields }));
const contents = (comments: readonly Listed[]) => comments.map(({ content }) => content);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `第 ${from + index} 条`);

test('pages start with the oldest on request, with the same positions', async () => {
  // The second response is a cache hit.
  for (let time = 0; time < 2; time++) {
    const first = await under({ page: 1, pageSize: 40, sort: 'oldest' });
    expect(contents(first)).toEqual(numbers(1, 40));
    expect([first[0]?.position, first.at(-1)?.position]).toEqual([1, 40]);
    expect(contents(await under({ page: 99, pageSize: 100, sort: 'oldest' }))).toEqual(numbers(601, TOTAL));
  }
});

test('any other value, and a request without a page, means newest first', async () => {
  for (const sort of ['newest', 'x', '', 'undefined'])
    expect(contents(await under({ page: 1, sort }))).toEqual(numbers(TOTAL - 9, TOTAL).toReversed());
  expect(contents(await under({ sort: 'oldest' }))).toEqual(numbers(TOTAL - 499, TOTAL).toReversed());
});

test('an article’s page has the order of its address, on its further pages too', async () => {
  const page = await server.get(`/detail/${id}?sort=oldest&page=2`);
  expect(page.text.match(/第 \d+ 条(?=<\/div>)/g)).toEqual(numbers(21, 40));
  expect(page.text).toContain(`/detail/${id}?sort=oldest&amp;page=3#UI-comments`);
  expect((await server.get(`/detail/${id}`)).text).toContain(`>第 ${TOTAL} 条</div>`);
});

describe('conversations', () => {
  let author: Person;
  let place: string;
  const say = async (content: string, to?: { _id: string; content: string; create_user: string }) => {
    server.pass(60);
    const reply = to && { reply_user: to.create_user, reply_content: to.content, reply_id: to._id };
    return done(
      await server.post('/api/comment/create', { page_id: place, content, ...reply }, author.token),
    ) as { _id: string; content: string; create_user: string; reply_id?: string };
  };
  const inOrder = async (fields: Fields = {}) =>
    done(
      await server.post('/api/comment/getpagecommentlist', {
        page_id: place,
        page: 1,
        pageSize: 40,
        sort: 'conversation',
        ...fields,
      }),
    ) as { content: string; position: number; reply_id?: string }[];
  beforeAll(async () => {
    author = await server.join('裴迪');
    place = await server.write(author);
  });

  test('have the newest on top and answers under what they answer, the oldest first', async () => {
    const one = await say('一');
    const two = await say('二');
    const answer = await say('答一', one);
    await say('三');
    await say('再答一', one);
    await say('答答一', answer);
    await say('答二', two);
    const all = await inOrder();
    expect(contents(all)).toEqual(['三', '二', '答二', '一', '答一', '再答一', '答答一']);
    expect(all.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.map(({ reply_id }) => reply_id)).toEqual([
      undefined,
      undefined,
      two._id,
      undefined,
      one._id,
      one._id,
      answer._id,
    ]);
    expect(contents(await inOrder({ page: 2, pageSize: 3 }))).toEqual(['一', '答一', '再答一']);
    expect(contents(await inOrder({ page: 9, pageSize: 3 }))).toEqual(['答答一']);
    const page = await server.get(`/detail/${place}?sort=conversation`);
    expect(page.text.match(/(?<=>)(?:再?答+)?[一二三](?=<\/div>)/g)).toEqual(contents(all));
    expect(page.text).toMatch(/aria-current="page"[^>]*>\s*对话/);

    done(await server.post('/api/comment/delete', { id: one._id }, author.token));
    const left = await inOrder();
    expect(contents(left)).toEqual(['再答一', '三', '答一', '答答一', '二', '答二']);
    expect(left[0]).toMatchObject({ reply_gone: true });
    expect(left[0]).not.toHaveProperty('reply_id');
  });

  test('without answers are the newest first', async () => {
    expect(contents(await under({ page: 2, pageSize: 40, sort: 'conversation' }))).toEqual(
      numbers(TOTAL - 79, TOTAL - 40).toReversed(),
    );
  });

  test('are not made of more than 5,000 comments', async () => {
    const busy = await server.write(author);
    const thread = {
      articleId: busy,
      writer: author.username,
      count: 5_001,
      text: (n: number) => `第 ${n} 条`,
    };
    await fillThread(server.app, thread);
    const [first] = await inOrder({ page_id: busy });
    expect(first).toMatchObject({ content: '第 5001 条', position: 5_001 });
    expect((await server.get(`/detail/${busy}?sort=conversation`)).text).toMatch(
      /aria-current="page"[^>]*>\s*最新/,
    );
  });
});
