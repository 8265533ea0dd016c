import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { decide } from './decide.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let reader: Person;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await openServer();
  [author, reader] = [await server.join('作者'), await server.join('读者')];
});
afterAll(() => server?.close());
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

function connect(token: string) {
  const socket = io(server.url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: { token },
  });
  sockets.push(socket);
  const ended: string[] = [];
  socket.on('disconnect', (reason) => ended.push(reason));
  return { socket, ended };
}

describe('counts of pending work', () => {
  /** Connects, subscribes to the counts, and records them. */
  function watch(token: string) {
    const live = connect(token);
    const told: unknown[] = [];
    live.socket.on('staff-counts', (counts: unknown) => told.push(counts));
    live.socket.on('connect', () => live.socket.emit('watch-staff'));
    return { ...live, told };
  }
  const newest = (of: { told: unknown[] }) => of.told.at(-1);

  test('are sent to subscribed staff when they change, and to no one else', async () => {
    const { roles, options, bans } = server.app.services;
    const [editor, second, banned] = [
      await server.join('伙计甲'),
      await server.join('伙计乙'),
      await server.join('伙计丙'),
    ];
    for (const { username } of [editor, second, banned]) await roles.set(username, 'editor', null);
    const [first, other, gone, stranger] = [editor, second, banned, reader].map(({ token }) => watch(token));
    const silent = connect(editor.token);
    const unasked: unknown[] = [];
    silent.socket.on('staff-counts', (counts: unknown) => unasked.push(counts));
    const all = [first, other, gone].filter((each) => each !== undefined);
    await eventually(() =>
      expect(all.map(newest)).toEqual(all.map(() => ({ held: 0, reports: 0, friends: 0 }))),
    );

    const article = await server.write(author);
    await options.change({ holdComments: 'all' }, null);
    const { _id } = await server.comment(reader, article, { content: '等着' });
    await eventually(() =>
      expect(all.map(newest)).toEqual(all.map(() => ({ held: 1, reports: 0, friends: 0 }))),
    );
    const about = { kind: 'article', id: article, reason: 'spam', note: '' };
    await server.post('/api/report', about, reader.token);
    await eventually(() => expect(first && newest(first)).toEqual({ held: 1, reports: 1, friends: 0 }));

    // A person who is no longer staff, or who is banned, receives no further counts.
    await roles.set('伙计乙', 'author', null);
    await bans.ban({ username: '伙计丙', until: null, reason: '广告', hides: false }, null);
    await eventually(() => expect(gone?.ended).toEqual(['io server disconnect']));
    const before = [other?.told.length, gone?.told.length];
    const decision = { ids: [_id], action: 'restore', note: '' };
    done(await decide(server, 'comment', decision, editor.token));
    await eventually(() => expect(first && newest(first)).toEqual({ held: 0, reports: 1, friends: 0 }));
    expect([other?.told.length, gone?.told.length]).toEqual(before);
    expect([stranger?.told, unasked]).toEqual([[], []]);
    await options.change({ holdComments: 'none' }, null);
  });

  test('are sent again when an author changes what waits', async () => {
    const { roles, options } = server.app.services;
    const editor = await server.join('伙计丁');
    await roles.set(editor.username, 'editor', null);
    await options.change({ holdArticles: 'all', holdComments: 'all', holdChanges: 'always' }, null);
    const article = await server.write(author, { title: '待审' });
    const watcher = watch(editor.token);
    await eventually(() => expect(newest(watcher)).toMatchObject({ held: 1 }));
    const fields = { id: article, title: '待审', tags: ['诗'], status: 'normal', secret: 'false' };
    const expectAnother = async (held: number, change: () => Promise<unknown>) => {
      const count = watcher.told.length;
      await change();
      await eventually(() => expect(watcher.told.length).toBeGreaterThan(count));
      await eventually(() => expect(newest(watcher)).toMatchObject({ held }));
    };
    const edit = async (content: string) =>
      done(await server.post('/api/page/edit', { ...fields, content }, author.token));
    await expectAnother(1, () => edit('改过的正文'));
    const decision = { ids: [article], action: 'restore', note: '' } as const;
    await server.app.services.takedowns.decide('article', decision, null);
    await expectAnother(1, () => edit('批准后的改动'));
    await expectAnother(1, () => edit('批准后又一次改动'));
    const { _id } = await server.comment(reader, article, { content: '等着' });
    await eventually(() => expect(newest(watcher)).toMatchObject({ held: 2 }));
    const remark = { id: _id, content: '还等着' };
    await expectAnother(2, () => server.post('/api/comment/edit', remark, reader.token));
    await options.change({ holdArticles: 'none', holdComments: 'none', holdChanges: 'size' }, null);
  });
});
