import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let reader: Person;
let third: Person;
let id: string;
beforeAll(async () => {
  server = await openServer();
  const author = await server.join('王维');
  reader = await server.join('Reader');
  third = await server.join('第三人');
  id = await server.write(author);
  await server.comment(reader, id, { content: '原话\n一字不差' });
  await server.comment(third, id, { content: '第三人的话' });
  await server.comment(reader, await server.write(author), { content: '别处的话' });
});
afterAll(() => server?.close());

const reply = (reply_content: string) =>
  server.post(
    '/api/comment/create',
    { content: '好诗', page_id: id, reply_user: 'Reader', reply_content },
    third.token,
  );

describe('a quote is kept', () => {
  const quoted = async (words: string) => done(await reply(words)).reply_content;

  test('where the user has written it under the article', async () => {
    expect(await quoted('原话\n一字不差')).toBe('原话\n一字不差');
  });

  test('with the line breaks and white space a form sends', async () => {
    expect(await quoted('  原话\r\n一字不差\r\n')).toBe('原话\n一字不差');
    await server.comment(reader, id, { content: '表单\r\n来的\r\n三行' });
    expect(await quoted('表单\n来的\n三行')).toBe('表单\r\n来的\r\n三行');
  });

  test.each([
    ['words nobody wrote', '我把密码改成了 123456'],
    ['a part of what was written', '原话'],
    ['more than was written', '原话\n一字不差。'],
    ['what somebody else wrote', '第三人的话'],
    ['what was written under another article', '别处的话'],
  ])('and left empty for %s', async (_, words) => {
    const data = done(await reply(words));
    expect(data).toMatchObject({ reply_user: 'Reader', reply_content: '' });
    expect(done(await server.post('/api/comment/getpagecommentlist', { page_id: id }))).toContainEqual(data);
    expect(
      done(await server.post('/api/comment/getusercommentlist', { type: 'to_user' }, reader.token)).result,
    ).toContainEqual(data);
  });

  test('and left empty once the comment is deleted', async () => {
    const { _id } = await server.comment(reader, id, { content: '说过就删' });
    done(await server.post('/api/comment/delete', { id: _id }, reader.token));
    expect(await quoted('说过就删')).toBe('');
  });
});
