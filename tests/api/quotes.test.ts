import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { articleUrl } from '../../src/lib/shared/urls.ts';
import { comments as commentsOf } from '../../src/lib/server/export/lists.ts';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let reader: Person;
let third: Person;
let id: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
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

describe('a quote is stored', () => {
  const quoted = async (words: string) => done(await reply(words)).reply_content;

  test('when the user wrote it under the article', async () => {
    expect(await quoted('原话\n一字不差')).toBe('原话\n一字不差');
  });

  test('with the line breaks and white space of a form', async () => {
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

describe('quoted text', () => {
  /** Different in each test, and too short to be held as a repetition. */
  let words: string;
  let place: string;
  let speaker: Person;
  let said: string;
  let answer: string;
  let names = 0;

  /** Every place that shows a quote; each function returns the response as text. */
  const places: Record<string, () => Promise<string>> = {
    'the page': async () => (await server.send(articleUrl(place))).text,
    'the page in the other order': async () => (await server.send(`${articleUrl(place)}?sort=oldest`)).text,
    'the list for visitors': async () => list(),
    'the list for the replier': async () => list(third.token),
    'the list for whoever is quoted': async () => list(speaker.token),
    'a part of the list': async () => list(undefined, { page: 1, pageSize: 10 }),
    'the inbox of whoever is quoted': async () => inbox('to_user', speaker.token),
    'the inbox of the article’s author': async () => inbox('to_user', author.token),
    'what the replier wrote': async () => inbox('create_user', third.token),
    'the export of the replier': async () => exported(third),
    'what a mail or webhook about the reply is made of': async () =>
      JSON.stringify(await server.app.services.comments.find(answer, null)),
  };
  const list = async (token?: string, more = {}) =>
    (await server.post('/api/comment/getpagecommentlist', { page_id: place, ...more }, token)).text;
  const inbox = async (type: string, token: string) =>
    (await server.post('/api/comment/getusercommentlist', { type }, token)).text;
  async function exported({ username }: Person): Promise<string> {
    const [user] = await server.rows(`select id from users where username = '${username}'`);
    const found = await Array.fromAsync(commentsOf(server.app.db.read, String(user?.['id'])));
    return JSON.stringify(found);
  }
  async function shownIn(): Promise<string[]> {
    const found: string[] = [];
    for (const [name, look] of Object.entries(places)) if ((await look()).includes(words)) found.push(name);
    return found;
  }
  const moderate = (id: string, action: 'hide' | 'delete' | 'hold' | 'restore') =>
    server.app.services.takedowns.decide('comment', { ids: [id], action, note: '' }, null);
  const quoteOf = async () => {
    const comments = JSON.parse(await list()).data as { _id: string }[];
    return comments.find(({ _id }) => _id === answer);
  };

  beforeEach(async () => {
    place = await server.write(author);
    speaker = await server.join(`说话的人${++names}`);
    words = `第${names}句原话`;
    said = (await server.comment(speaker, place, { content: words }))._id;
    const reply = { content: '答', reply_user: speaker.username, reply_content: words };
    answer = (await server.comment(third, place, reply))._id;
  });

  const removals: Record<string, () => Promise<unknown>> = {
    'its writer deleted it': () => server.post('/api/comment/delete', { id: said }, speaker.token),
    'the article’s author deleted it': () => server.post('/api/comment/delete', { id: said }, author.token),
    'staff hid it': () => moderate(said, 'hide'),
    'staff deleted it': () => moderate(said, 'delete'),
    'staff holds it': () => moderate(said, 'hold'),
    'a ban hides it': () =>
      server.app.services.bans.ban(
        { username: speaker.username, until: null, reason: '广告', hides: true },
        null,
      ),
    'its writer closed the account': () =>
      server.post('/api/user/close', { password: PASSWORD, contents: 'remove' }, speaker.token),
    'its writer changed it': () =>
      server.post('/api/comment/edit', { id: said, content: '改过的话' }, speaker.token),
    'its writer changed it into a listed word': async () => {
      await server.app.services.words.add(['代购'], { category: '', action: 'hold' }, null);
      await server.post('/api/comment/edit', { id: said, content: `${words} 代购` }, speaker.token);
    },
  };
  test.each(Object.entries(removals))('is in no reply once %s', async (why, remove) => {
    const everywhere = await shownIn();
    expect(everywhere).toEqual(Object.keys(places));
    await remove();
    // The writer of a withheld comment still sees it; a banned or closed account sees nothing.
    const own = await shownIn();
    expect(own.filter((name) => !name.includes('quoted'))).toEqual([]);
    const isChanged = why === 'its writer changed it';
    expect(await quoteOf()).toMatchObject(
      isChanged ? { reply_content: '改过的话' } : { reply_content: '', reply_gone: true },
    );
    const page = (await server.send(articleUrl(place))).text;
    expect(page.includes('原评论已删除')).toBe(!isChanged);
  });

  test('is back in every reply once staff unhides it', async () => {
    await moderate(said, 'hide');
    await moderate(said, 'restore');
    expect(await shownIn()).toEqual(Object.keys(places));
    expect(await quoteOf()).not.toHaveProperty('reply_gone');
  });

  test('is that of the referenced comment, of two with the same text', async () => {
    const again = (await server.comment(speaker, place, { content: words }))._id;
    const fields = { content: '再答', reply_user: speaker.username, reply_content: words };
    const first = await server.comment(third, place, { ...fields, reply_id: said });
    const newest = await server.comment(third, place, fields);
    await moderate(again, 'hide');
    const comments = JSON.parse(await list()).data as { _id: string; reply_content: string }[];
    const quotes = new Map(comments.map(({ _id, reply_content }) => [_id, reply_content]));
    expect([quotes.get(first._id), quotes.get(newest._id)]).toEqual([words, '']);
  });
});
