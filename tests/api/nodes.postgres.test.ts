import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openProxy } from '../postgres/proxy.ts';
import { amount } from '../trial.ts';
import { versionsNow } from '../engines/decide.ts';
import { decide } from './decide.ts';
import { isCurrent, openNodes, type Nodes } from './nodes.ts';
import { done, PASSWORD, type Person, type TestServer } from './server.ts';

/** Maximum time after the response to a write until other servers on the same database must show it. */
const LEASE_MS = 250;
/** Changes of each article in the test of pages cached by another node. */
const WRITES = amount('TEST_WRITES', 4, 12);

let nodes: Nodes;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  await nodes?.close();
});

/** Sends twenty requests at the same time, alternating between the servers. */
const everywhere = <T>(send: (node: TestServer) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => send(index % 2 ? nodes.a : nodes.b)));

/** Creates articles on A. */
async function openArticles(count: number) {
  const author = await nodes.a.join('林间');
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await nodes.a.write(author, { title: '零' }));
  return { author, ids };
}

/** Sends the edit again, as clients do, if a busy database refuses it within its time limits. */
async function edit(author: Person, id: string, version: number): Promise<void> {
  const fields = {
    id,
    title: `第${version}版。`,
    content: '空山新雨后',
    tags: ['诗'],
    status: 'normal',
    secret: 'false',
  };
  await eventually(async () => done(await nodes.a.post('/api/page/edit', fields, author.token)));
}

/** Returns the version that B's page shows. */
async function seen(id: string): Promise<number> {
  const { status, text } = await nodes.b.get(`/detail/${id}`);
  expect(status).toBe(200);
  return Number(/第(\d+)版。/.exec(text)?.[1] ?? 0);
}

/** Writes on A and reads on B for `rounds` rounds; returns descriptions of stale reads. */
async function writeAndRead(
  author: Person,
  id: string,
  versions: Map<string, number>,
  rounds: number,
): Promise<string[]> {
  const stale: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    await edit(author, id, version);
    const acknowledged = performance.now();
    for (let latest = 0; performance.now() - acknowledged < LEASE_MS; await sleep(Math.random() * 150)) {
      const now = await seen(id);
      if (now < latest) stale.push(`${id} went back from ${latest} to ${now}`);
      latest = now;
    }
    const late = performance.now() - acknowledged;
    const shown = await seen(id);
    if (shown !== version) stale.push(`${id} showed ${shown} instead of ${version}, ${late} ms after`);
  }
  return stale;
}

test('feeds and files cached by B reflect writes through A', async () => {
  nodes = await openNodes();
  const { author, ids } = await openArticles(1);
  const [id = ''] = ids;
  const titles = async () => [
    done(await nodes.b.post('/api/page/feed')).items[0].title,
    done(await nodes.b.post('/api/page/feed', { kind: 'user', name: author.username })).items[0].title,
    done(await nodes.b.post('/api/page/file', { id })).title,
  ];
  for (let version = 1; version <= 5; version++) {
    await titles();
    await edit(author, id, version);
    await eventually(async () => expect(new Set(await titles())).toEqual(new Set([`第${version}版。`])));
  }
});

describe('pages cached by B', () => {
  test('show writes through A', async () => {
    nodes = await openNodes();
    const { author, ids } = await openArticles(25);
    const versions = new Map<string, number>();
    const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, WRITES)));
    expect(stale.flat()).toEqual([]);
    // After the last write every page is served from the cache.
    await expect.poll(() => isCurrent(nodes.b)).toBe(true);
    await Promise.all(ids.map(seen));
    const before = nodes.b.app.pageCache?.numbers();
    await Promise.all(ids.map(seen));
    const { renders = 0, hits = 0 } = before ?? {};
    expect(nodes.b.app.pageCache?.numbers()).toMatchObject({ renders, hits: hits + ids.length });
  });

  test('show them at once, however late B is notified', async () => {
    await using network = await openProxy();
    nodes = await openNodes({ through: network.through });
    const { author, ids } = await openArticles(1);
    const [id = ''] = ids;
    network.delay(20);
    await expect.poll(() => isCurrent(nodes.b)).toBe(true);
    const shown: number[] = [];
    for (let version = 1; version <= 20; version++) {
      await seen(id);
      await edit(author, id, version);
      shown.push(await seen(id));
    }
    expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('show them while B’s listening connection keeps being terminated', { tags: ['long'] }, async () => {
    nodes = await openNodes();
    const { author, ids } = await openArticles(8);
    const versions = new Map<string, number>();
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await nodes.cutListener();
        await sleep(Math.random() * 500);
      }
    })();
    const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, 15)));
    over.abort();
    await cutting;
    expect(stale.flat()).toEqual([]);
    expect(nodes.b.app.db.notices?.numbers().losses).toBeGreaterThan(2);
    await expect.poll(() => isCurrent(nodes.b)).toBe(true);
    await seen(ids[0] ?? '');
    expect(nodes.b.app.pageCache?.has(`/detail/${ids[0]}`)).toBe(true);
  });

  test('show them when that connection silently stalls', { tags: ['long'] }, async () => {
    await using network = await openProxy();
    nodes = await openNodes({ through: network.through });
    const { author, ids } = await openArticles(4);
    const versions = new Map<string, number>();
    for (let round = 0; round < 3; round++) {
      await expect.poll(() => isCurrent(nodes.b)).toBe(true);
      await Promise.all(ids.map(seen));
      expect(network.silence('listener')).toBe(1);
      const stale = await Promise.all(ids.map((id) => writeAndRead(author, id, versions, 2)));
      expect(stale.flat()).toEqual([]);
    }
    await expect.poll(() => isCurrent(nodes.b)).toBe(true);
  });
});

describe('state shared by both nodes', () => {
  test('a request id creates one article and one comment, whichever node is called, however often', async () => {
    nodes = await openNodes();
    const author = await nodes.a.join('林间');
    const article = {
      title: '山居',
      content: '正文',
      tags: ['诗'],
      status: 'normal',
      secret: 'false',
      request_id: 'request-a1',
    };
    const answers = await everywhere((node) => node.post('/api/page/new', article, author.token));
    const [id = '', ...others] = new Set(answers.map((answer) => String(done(answer).id)));
    expect(others).toEqual([]);
    const comment = { content: '好诗', page_id: id, request_id: 'request-c1' };
    const made = await everywhere((node) => node.post('/api/comment/create', comment, author.token));
    expect(new Set(made.map((answer) => String(done(answer)._id))).size).toBe(1);
    expect(await nodes.storage.rows('select count(*) as n from comments')).toEqual([{ n: 1 }]);
    expect(await nodes.storage.rows('select count(*) as n from articles')).toEqual([{ n: 1 }]);
  });

  test('20 concurrent refreshes in ten rounds: one sign-in, one successor, no one signed out', async () => {
    nodes = await openNodes();
    let { refresh_token: latest } = await nodes.a.join('林间');
    for (let round = 0; round < 10; round++) {
      const answers = await everywhere((node) => node.get('/api/signin/refreshToken', latest));
      const successors = new Set(answers.map((answer) => String(done(answer).refresh_token)));
      expect(successors.size).toBe(1);
      [latest = ''] = successors;
      const tokens = answers.map((answer) => String(done(answer).token));
      for (const node of [nodes.a, nodes.b])
        expect((await node.post('/api/signin/getUserInfo', {}, tokens[round])).data.username).toBe('林间');
    }
    expect(await nodes.storage.rows('select count(*) as n from signins')).toEqual([{ n: 1 }]);
  });

  test('password guesses are counted together', async () => {
    nodes = await openNodes({ settings: { RATE_LIMIT: 'on' } });
    await nodes.a.join('林间');
    const guess = (index: number, password: string) =>
      (index % 2 ? nodes.a : nodes.b).post('/api/signin', { username: '林间', password });
    const statuses: number[] = [];
    for (let index = 0; index < 12; index++) statuses.push((await guess(index, '不是这个密码')).status);
    expect(statuses.slice(-3)).toEqual([200, 429, 429]);
    expect((await guess(0, PASSWORD)).status).toBe(429);
    expect((await guess(1, PASSWORD)).status).toBe(429);
    // The stored counters must not reveal accounts or addresses.
    const stored = JSON.stringify(await nodes.storage.rows('select * from attempts'));
    expect(stored).toContain('"points":10');
    expect(stored).not.toMatch(/林间|127\.0/);
    await nodes.a.app.db.sharedCounts?.forgetExpired(Date.now() + 7 * 3_600_000);
    expect(done(await guess(0, PASSWORD)).token).toBeTypeOf('string');
  });
});

describe('sockets', () => {
  /** Connects to B and records every count it receives. */
  function connect({ token }: Person) {
    const socket = io(nodes.b.url, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { token },
    });
    sockets.push(socket);
    const counts: number[] = [];
    const ended: string[] = [];
    socket.on('unread-comment', (count: number) => counts.push(count));
    socket.on('disconnect', (reason) => ended.push(reason));
    return { counts, ended };
  }

  test('B notifies its sockets of writes through A, and closes those signed out there', async () => {
    nodes = await openNodes();
    const author = await nodes.a.join('林间');
    const reader = await nodes.a.join('读者');
    const article = await nodes.a.write(author);
    const live = connect(author);
    await eventually(() => expect(live.counts).toEqual([0]));
    const { _id } = await nodes.a.comment(reader, article);
    await eventually(() => expect(live.counts.at(-1)).toBe(1));
    await nodes.a.post('/api/comment/updatecommentstatus', { ids: [_id] }, author.token);
    await eventually(() => expect(live.counts.at(-1)).toBe(0));
    await nodes.a.post('/api/signout', {}, author.token);
    await eventually(() => expect(live.ended).toEqual(['io server disconnect']));
  });

  test('a pending comment notifies no one on any node, and once when approved through B', async () => {
    nodes = await openNodes();
    const author = await nodes.a.join('林间');
    const reader = await nodes.a.join('听雨');
    const editor = await nodes.a.join('老李');
    await nodes.a.app.services.roles.set(editor.username, 'editor', null);
    await nodes.a.app.services.options.change({ holdComments: 'all' }, null);
    const article = await nodes.a.write(author);
    const { counts } = connect(author);
    await eventually(() => expect(counts).toEqual([0]));
    // A decision on A takes effect on B immediately.
    const { _id, state } = await nodes.b.comment(reader, article, { content: '等着' });
    expect(state).toBe('held');
    expect((await nodes.b.get(`/detail/${article}`)).text).not.toContain('等着');
    const versions = await versionsNow(nodes.b.app, 'comment', [_id]);
    const fields = { ids: [_id], action: 'restore', versions };
    done(await decide(nodes.b, 'comment', fields, editor.token));
    await eventually(() => expect(counts.at(-1)).toBe(1));
    await eventually(async () => expect((await nodes.a.get(`/detail/${article}`)).text).toContain('等着'));
    // Repeating the decision changes nothing and sends no second notification.
    expect((await decide(nodes.a, 'comment', fields, editor.token)).error).toBe('VERSION_CHANGED');
    await sleep(LEASE_MS);
    expect(counts).toEqual([0, 1]);
  });

  test('missed changes are sent once B reconnects', async () => {
    await using network = await openProxy();
    nodes = await openNodes({ through: network.through });
    const author = await nodes.a.join('林间');
    const other = await nodes.a.join('读者');
    const article = await nodes.a.write(author);
    const [staying, leaving] = [connect(author), connect(other)];
    await eventually(() => expect([staying.counts, leaving.counts]).toEqual([[0], [0]]));
    expect(network.silence('listener')).toBe(1);
    await nodes.a.comment(other, article);
    await nodes.a.post('/api/signout', {}, other.token);
    await eventually(() => expect(staying.counts.at(-1)).toBe(1));
    await eventually(() => expect(leaving.ended).toEqual(['io server disconnect']));
    expect(staying.ended).toEqual([]);
  });
});
