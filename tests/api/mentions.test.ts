import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let reader: Person;
let other: Person;
let stranger: Person;
let article: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('裴迪');
  other = await server.join('Meng_Haoran');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());
beforeEach(async () => {
  article = await server.write(author);
  await server.comment(other, article, { content: '我在' });
  await server.comment(reader, article, { content: '我也在' });
  await Promise.all([author, reader, other, stranger].map(readAll));
});

type Listed = { _id: string; mentions?: string[]; html?: string; is_read: boolean };
const unread = async ({ token }: Person): Promise<number> =>
  done(await server.get('/api/comment/getUnreadCommentNum', token));
const received = async ({ token }: Person): Promise<{ result: Listed[] }> =>
  done(await server.post('/api/comment/getusercommentlist', { type: 'to_user' }, token));
async function readAll(who: Person): Promise<void> {
  const ids = (await received(who)).result.map(({ _id }) => _id);
  if (ids.length > 0) await server.post('/api/comment/updatecommentstatus', { ids }, who.token);
}
const write = (content: string, fields = {}, who = reader): Promise<Listed> =>
  server.comment(who, article, { content, ...fields }) as Promise<Listed>;
const edit = async ({ _id }: Listed, content: string): Promise<Listed> =>
  done(await server.post('/api/comment/edit', { id: _id, content }, reader.token));

describe('a comment that mentions a user', () => {
  test('is unread for them, links to them, and is in their received comments', async () => {
    const made = await write('同意 @meng_haoran，还有@王维。');
    expect(made.mentions?.toSorted()).toEqual(['Meng_Haoran', '王维']);
    expect(made.html).toContain('<a href="/user/info/Meng_Haoran">@meng_haoran</a>，');
    expect(made.html).toContain('>@王维</a>。');
    expect([await unread(other), await unread(author), await unread(reader)]).toEqual([1, 1, 0]);
    const [first] = (await received(other)).result;
    expect(first).toMatchObject({ _id: made._id, is_read: false });
    const page = await server.get(`/detail/${article}`);
    expect(page.text).toContain('<a href="/user/info/Meng_Haoran">@meng_haoran</a>');
    await readAll(other);
    const list = await server.post(
      '/api/comment/getpagecommentlist',
      { page_id: article, page: 1 },
      other.token,
    );
    expect((done(list) as Listed[])[0]).toMatchObject({ _id: made._id, is_read: true });
  });

  test('that is also a reply and mentions them twice is one unread comment', async () => {
    await write('@Meng_Haoran @Meng_Haoran 你说得对', { reply_user: 'Meng_Haoran', reply_content: '我在' });
    expect(await unread(other)).toBe(1);
  });

  test.each([
    ['somebody who takes no part', '@路人 来看'],
    ['nobody', '@没有这个人 来看'],
    ['a name with more letters', '@Meng_Haoran2 @Meng_Haoran你好'],
    ['an address of e-mail', 'a@Meng_Haoran b.c@Meng_Haoran'],
  ])('is plain text for %s', async (_, content) => {
    const made = await write(content);
    expect(made).not.toHaveProperty('mentions');
    expect(made.html ?? '').not.toContain('/user/info/');
    expect([await unread(stranger), await unread(other)]).toEqual([0, 0]);
  });

  test('does not notify its writer, and ignores code', async () => {
    const made = await write('@裴迪 自己，`@Meng_Haoran`');
    expect(made.html).toContain('<code>@Meng_Haoran</code>');
    expect(await unread(reader)).toBe(0);
  });

  test('may mention ten users, further names are plain text', async () => {
    const nobody = Array.from({ length: 10 }, (_, index) => `@无名${index}`).join(' ');
    expect(await write(`${nobody} @Meng_Haoran`)).not.toHaveProperty('mentions');
  });

  test('notifies only newly mentioned users when changed', async () => {
    const made = await write('@Meng_Haoran 看');
    await readAll(other);
    const changed = await edit(made, '@Meng_Haoran @王维 都看');
    expect(changed.mentions).toHaveLength(2);
    expect([await unread(other), await unread(author)]).toEqual([0, 1]);
    expect(await edit(made, '谁也不提')).not.toHaveProperty('mentions');
    expect((await received(other)).result[0]?._id).toBe(made._id);
    const later = await write('晚些');
    await edit(later, '晚些 @Meng_Haoran');
    expect(await unread(other)).toBe(1);
  });

  test('is unread for no one when deleted', async () => {
    const { _id } = await write('@Meng_Haoran 看');
    await server.post('/api/comment/delete', { id: _id }, reader.token);
    expect(await unread(other)).toBe(0);
  });
});
