import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMENT_EDIT_MS } from '../../src/lib/contract/rules/bounds.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let reader: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('裴迪');
});
afterAll(() => server?.close());

type Listed = { _id: string; content: string; edit_time?: string; html?: string };
const edit = (id: string, content: string, who: Person) =>
  server.post('/api/comment/edit', { id, content }, who.token);
const under = async (page_id: string): Promise<Listed[]> =>
  done(await server.post('/api/comment/getpagecommentlist', { page_id, page: 1 }));
const unread = async (who: Person) => done(await server.get('/api/comment/getUnreadCommentNum', who.token));
const errorOf = ({ text }: { text: string }) => (JSON.parse(text) as { error?: string }).error;

/** Backdates a comment by `ms`. */
const age = (id: string, ms: number) =>
  server.app.db.write((trx) =>
    trx
      .updateTable('comments')
      .set({ create_time: Date.now() - ms })
      .where('id', '=', id)
      .execute(),
  );

test('an edited comment shows the new text everywhere, and its read state stays', async () => {
  const article = await server.write(author);
  const { _id } = await server.comment(reader, article, { content: '写错了' });
  await server.post('/api/comment/updatecommentstatus', { ids: [_id] }, author.token);
  const before = await unread(author);
  expect((await under(article))[0]).not.toHaveProperty('edit_time');
  const page = await server.get(`/detail/${article}`);
  expect(page.text).toContain('写错了');

  const answer: Listed = done(await edit(_id, ' 写**对**了 ', reader));
  expect(answer).toMatchObject({ _id, content: '写**对**了', html: '<p>写<strong>对</strong>了</p>' });
  expect(Date.parse(answer.edit_time ?? '')).toBeGreaterThan(0);
  expect((await under(article))[0]).toMatchObject({ content: '写**对**了', edit_time: answer.edit_time });
  const later = await server.get(`/detail/${article}`);
  expect(later.text).toContain('写<strong>对</strong>了');
  expect(later.text).toContain('已编辑');
  expect(await unread(author)).toBe(before);
});

test('the same text is not a change', async () => {
  const { _id } = await server.comment(reader, await server.write(author), { content: '一样' });
  expect(done(await edit(_id, '一样', reader))).not.toHaveProperty('edit_time');
});

test('only its writer may edit a comment, while it is visible', async () => {
  const article = await server.write(author);
  const { _id } = await server.comment(reader, article, { content: '我的' });
  expect(errorOf(await edit(_id, '改了', author))).toBe('NOT_YOURS');
  const visitor = await server.post('/api/comment/edit', { id: _id, content: '改了' });
  expect(errorOf(visitor)).toBe('SIGNIN_REQUIRED');
  expect((await under(article))[0]).toMatchObject({ content: '我的' });
  await server.post('/api/page/delete', { id: article }, author.token);
  for (const id of [_id, '0'.repeat(24)])
    expect(errorOf(await edit(id, '改了', reader))).toBe('COMMENT_NOT_FOUND');
});

test('editing ends after 15 minutes', async () => {
  const article = await server.write(author);
  const { _id } = await server.comment(reader, article, { content: '定了' });
  await age(_id, COMMENT_EDIT_MS - 10_000);
  expect(done(await edit(_id, '还能改', reader))).toMatchObject({ content: '还能改' });
  await age(_id, COMMENT_EDIT_MS + 1);
  const late = await edit(_id, '晚了', reader);
  expect(JSON.parse(late.text)).toEqual({
    code: 'ERROR',
    data: '评论发表 15 分钟后不能再修改',
    error: 'EDIT_TOO_LATE',
  });
  expect((await under(article))[0]).toMatchObject({ content: '还能改' });
});

test('an edit follows the same rules as a new comment', async () => {
  const { _id } = await server.comment(reader, await server.write(author), { content: '好' });
  for (const content of ['', '  ', '长'.repeat(2001)])
    expect(errorOf(await edit(_id, content, reader))).toBe('FIELD_INVALID');
});

test('a comment’s lasting address leads to its page of the thread, whatever has been written since', async () => {
  const article = await server.write(author);
  const { _id } = await server.comment(reader, article, { content: '最早' });
  for (let number = 0; number < 20; number++) await server.comment(author, article);
  const at = async (path: string) =>
    (await fetch(server.url + path, { redirect: 'manual' })).headers.get('Location');
  expect(await at(`/detail/${article}/comment/${_id}`)).toBe(`/detail/${article}?page=2#UI-comment-${_id}`);
  const [newest] = await under(article);
  expect(await at(`/detail/${article}/comment/${newest?._id}`)).toBe(
    `/detail/${article}#UI-comment-${newest?._id}`,
  );
  const other = await server.write(author);
  expect(await at(`/detail/${other}/comment/${_id}`)).toBe(`/detail/${other}#UI-comment-${_id}`);
  expect(await at(`/detail/x/comment/${_id}`)).toBe('/404');
});
