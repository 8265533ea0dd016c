import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillThread } from './long-thread.ts';
import { done, openServer, type Fields, type TestServer } from './server.ts';

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
