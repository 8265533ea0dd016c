import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let reader: Person;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await openServer();
  author = await server.join('作者');
  reader = await server.join('读者');
});
afterAll(() => server.close());
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

/** Connects the way the contract's clients do, and records every count it receives. */
function connect(token: string | undefined, headers: Record<string, string> = {}) {
  const socket = io(server.url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: token === undefined ? {} : { token },
    extraHeaders: headers,
  });
  sockets.push(socket);
  const counts: number[] = [];
  const ended: string[] = [];
  /** Ids from `article-comments` events. */
  const articles: string[] = [];
  socket.on('article-comments', (id: string) => articles.push(id));
  socket.on('unread-comment', (count: number) => counts.push(count));
  socket.on('connect_error', (error) => ended.push(error.message));
  socket.on('disconnect', (reason) => ended.push(reason));
  return { socket, counts, ended, articles };
}

test('each device of a user receives the unread count on connecting and on each change', async () => {
  const first = connect(author.token);
  const second = connect(author.token);
  const stranger = connect(reader.token);
  await eventually(() => expect([first.counts, second.counts, stranger.counts]).toEqual([[0], [0], [0]]));

  const article = await server.write(author);
  const comment = await server.comment(reader, article);
  await eventually(() => expect([first.counts.at(-1), second.counts.at(-1)]).toEqual([1, 1]));

  await server.comment(author, article, { reply_user: '读者', reply_content: '原话' });
  await eventually(() => expect(stranger.counts.at(-1)).toBe(1));

  await server.post('/api/comment/updatecommentstatus', { ids: [comment._id] }, author.token);
  await eventually(() => expect([first.counts.at(-1), second.counts.at(-1)]).toEqual([0, 0]));

  const another = await server.comment(reader, article);
  await eventually(() => expect(first.counts.at(-1)).toBe(1));
  await server.post('/api/comment/delete', { id: another._id }, reader.token);
  await eventually(() => expect(first.counts.at(-1)).toBe(0));
});

describe('a viewer of an article', () => {
  /** Resolves once the server has processed the socket's earlier messages. */
  const settled = async ({ socket }: ReturnType<typeof connect>, article: string) => {
    const probe = connect(reader.token);
    await eventually(() => expect(probe.counts.length).toBe(1));
    await eventually(async () => {
      socket.emit('watch-article', article);
      const told = new Promise((resolve) => socket.once('article-comments', resolve));
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error('not told')), 200));
      await server.comment(author, article);
      await Promise.race([told, late]);
    });
  };

  test('is notified of changed comments, and of no other article', async () => {
    const [one, other] = [await server.write(author), await server.write(author)];
    const live = connect(reader.token);
    await settled(live, one);
    live.articles.length = 0;
    await server.comment(author, other);
    const { _id } = await server.comment(author, one);
    await eventually(() => expect(live.articles).toEqual([one]));
    await server.post('/api/comment/delete', { id: _id }, author.token);
    await eventually(() => expect(live.articles).toEqual([one, one]));
    await settled(live, other);
    live.articles.length = 0;
    await server.comment(author, one);
    await server.comment(author, other);
    await eventually(() => expect(live.articles).toEqual([other]));
  });

  test('is not notified of content that only its author sees, nor once it is hidden', async () => {
    const [hidden, open] = [await server.write(author, { secret: true }), await server.write(author)];
    const [stranger, own] = [connect(reader.token), connect(author.token)];
    await settled(own, hidden);
    await eventually(() => expect(stranger.counts.length).toBe(1));
    stranger.socket.emit('watch-article', hidden);
    for (const nonsense of [undefined, null, 7, {}, 'x', '../', hidden.toUpperCase()])
      stranger.socket.emit('watch-article', nonsense);
    own.articles.length = 0;
    await server.comment(author, hidden);
    await eventually(() => expect(own.articles).toEqual([hidden]));
    expect(stranger.articles).toEqual([]);

    await settled(stranger, open);
    stranger.articles.length = 0;
    await server.post('/api/page/delete', { id: open }, author.token);
    await settled(stranger, await server.write(author));
    expect(stranger.articles).not.toContain(open);
  });
});

test('hiding an article removes its comments from the unread count', async () => {
  const article = await server.write(author);
  await server.comment(author, article, { reply_user: '读者', reply_content: '原话' });
  const live = connect(reader.token);
  await eventually(() => expect(live.counts.length).toBe(1));
  const before = live.counts[0] ?? 0;
  await server.post('/api/page/delete', { id: article }, author.token);
  await eventually(() => expect(live.counts.at(-1)).toBe(before - 1));
});

describe('an unchanged unread count is not sent', () => {
  let stranger: Person;
  let live: ReturnType<typeof connect>;
  let open: string;
  beforeAll(async () => {
    stranger = await server.join('路人');
    open = await server.write(author);
  });
  beforeEach(async () => {
    live = connect(stranger.token);
    await eventually(() => {
      if (live.counts.length === 0) throw new Error('no number yet');
    });
  });

  /**
   * Counts that the stranger receives during `action` and for one comment addressed to them afterwards,
   * relative to the count before.
   */
  async function receivedDuring(action: () => Promise<unknown>): Promise<number[]> {
    const [before = 0] = live.counts.splice(0);
    await action();
    await server.comment(author, open, { reply_user: '路人' });
    // The server sends a user's counts in the order of their events.
    await eventually(() => expect(live.counts).not.toEqual([]));
    return live.counts.map((count) => count - before);
  }
  const removed = async (id: string, person: Person) =>
    done(await server.post('/api/comment/delete', { id }, person.token));

  test.each([
    ['secret', { secret: 'true' }],
    ['draft', { status: 'draft' }],
  ])('a %s article takes comments, and loses them', async (_, fields) => {
    const hidden = await server.write(author, fields);
    const received = await receivedDuring(async () => {
      const { _id } = await server.comment(author, hidden, { reply_user: '路人' });
      await server.comment(author, hidden, { reply_user: '路人' });
      await removed(_id, author);
      await server.post('/api/page/delete', { id: hidden }, author.token);
    });
    expect(received).toEqual([1]);
  });

  test('an article with an unread comment is edited, hidden or not', async () => {
    const article = await server.write(author);
    await server.comment(author, article, { reply_user: '路人' });
    await eventually(() => expect(live.counts).toHaveLength(2));
    live.counts.shift();
    const edit = (secret: string, content: string) =>
      server.post(
        '/api/page/edit',
        { id: article, title: '题', content, tags: ['诗'], status: 'normal', secret },
        author.token,
      );
    expect(await receivedDuring(() => edit('false', '改'))).toEqual([1]);
    live.counts.splice(0, live.counts.length - 1);
    await edit('true', '改');
    await eventually(() => expect(live.counts).toHaveLength(2));
    live.counts.shift();
    expect(await receivedDuring(() => edit('true', '再改'))).toEqual([1]);
  });

  test('a comment that was read is deleted', async () => {
    const { _id } = await server.comment(author, open, { reply_user: '路人' });
    await server.post('/api/comment/updatecommentstatus', { ids: [_id] }, stranger.token);
    await eventually(() => expect(live.counts).toHaveLength(3));
    live.counts.splice(0, 2);
    expect(await receivedDuring(() => removed(_id, author))).toEqual([1]);
  });

  test('comments under an article that is hidden now are marked as read', async () => {
    const article = await server.write(author);
    const { _id } = await server.comment(author, article, { reply_user: '路人' });
    await server.post('/api/page/delete', { id: article }, author.token);
    await eventually(() => expect(live.counts).toHaveLength(3));
    live.counts.splice(0, 2);
    const mark = () => server.post('/api/comment/updatecommentstatus', { ids: [_id] }, stranger.token);
    expect(await receivedDuring(mark)).toEqual([1]);
  });

  test('but its author counts comments under a hidden article, until the article is deleted', async () => {
    const own = connect(author.token);
    await eventually(() => expect(own.counts).toHaveLength(1));
    const article = await server.write(author);
    await server.comment(stranger, article);
    await eventually(() => expect(own.counts).toHaveLength(2));
    const fields = {
      id: article,
      title: '题',
      content: '文',
      tags: ['诗'],
      status: 'normal',
      secret: 'true',
    };
    await server.post('/api/page/edit', fields, author.token);
    await server.post('/api/page/delete', { id: article }, author.token);
    const [before = 0] = own.counts;
    await eventually(() => expect(own.counts).toEqual([before, before + 1, before]));
  });
});

test.each([
  ['no token', undefined],
  ['the literal of a client without a token', 'undefined'],
  ['garbage', 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
])('%s is refused', async (_, token) => {
  const live = connect(token);
  await eventually(() => expect(live.ended).toEqual(['请重新登录']));
  expect(live.counts).toEqual([]);
});

test('a refresh token opens no socket', async () => {
  const live = connect(author.refresh_token);
  await eventually(() => expect(live.ended).toEqual(['请重新登录']));
});

test('another site cannot connect, even with a token', async () => {
  const live = connect(author.token, { origin: 'https://evil.example' });
  await eventually(() => expect(live.ended).toHaveLength(1));
  expect(live.counts).toEqual([]);
});

test('signing out closes the sockets of that sign-in and no others', async () => {
  const other = (await server.post('/api/signin', { username: '读者', password: '松风吹解带，山月照弹琴' }))
    .data.token as string;
  const leaving = connect(reader.token);
  const staying = connect(other);
  await eventually(() => expect([leaving.counts.length, staying.counts.length]).toEqual([1, 1]));
  await server.post('/api/signout', {}, reader.token);
  await eventually(() => expect(leaving.ended).toEqual(['io server disconnect']));
  expect(staying.socket.connected).toBe(true);
});

test('a token that has expired still opens a socket, until its sign-in ends', async () => {
  const guest = await server.join('过客');
  server.pass(86_401);
  const live = connect(guest.token);
  await eventually(() => expect(live.counts).toEqual([0]));
  await server.post('/api/signout', {}, guest.token);
  await eventually(() => expect(live.ended).toEqual(['io server disconnect']));
  const again = connect(guest.token);
  await eventually(() => expect(again.ended).toEqual(['请重新登录']));
});

test('polling is not offered', async () => {
  const answer = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`);
  expect(answer.status).toBe(400);
});
