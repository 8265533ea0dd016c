import { expect } from 'vitest';
import type { Replica } from '../../src/lib/server/db/database.ts';
import { TOKEN_SECRET } from '../engine.ts';
import { openProxy, type Proxy } from '../postgres/proxy.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { done, openServer, type Answer, type Person, type TestServer } from './server.ts';

/** Two servers on one database with a read replica, which they reach through a network. */
export interface ReplicaStage {
  postgres: TestPostgres;
  standby: string;
  network: Proxy;
  nodes: readonly [TestServer, TestServer];
  author: Person;
  /** Changes the title of an article through the first server. */
  edit(id: string, title: string): Promise<void>;
  /** Requests of visitors for pages and calls that show the title of an article. */
  surfaces(node: TestServer, id: string): (() => Promise<Answer>)[];
  close(): Promise<void>;
}

export async function openReplicaStage(): Promise<ReplicaStage> {
  const postgres = await startPostgres();
  const standby = await postgres.follow();
  const network = await openProxy();
  const settings = {
    DATABASE_URL: postgres.url,
    DATABASE_READ_URL: network.through(standby),
    DATABASE_POOL: '4',
    TOKEN_SECRET,
  };
  const nodes = [await openServer(settings), await openServer(settings)] as const;
  const author = await nodes[0].join('林间');
  return {
    postgres,
    standby,
    network,
    nodes,
    author,
    async edit(id, title) {
      const fields = { id, title, content: '空山新雨后', tags: ['诗'], status: 'normal', secret: 'false' };
      done(await nodes[0].post('/api/page/edit', fields, author.token));
    },
    surfaces: (node, id) => [
      () => node.get(`/detail/${id}`),
      () => node.get(`/detail/${id}/true`),
      () => node.get('/home'),
      () => node.get(`/user/info/${encodeURIComponent(author.username)}`),
      () => node.get(`/home/${encodeURIComponent('空山新雨后')}`),
      () => node.get('/feed.xml'),
      () => node.post('/api/page/pagelist'),
      () => node.post('/api/page/searchpage', { keywords: '空山新雨后' }),
      () => node.post('/api/page/detail', { id }),
    ],
    async close() {
      for (const node of nodes) await node.close();
      await network.close();
      await postgres.end();
    },
  };
}

export function replicaOf({ app }: TestServer): Replica {
  if (!app.db.replica) throw new Error('the server has no read replica');
  return app.db.replica;
}

export const readsOf = (node: TestServer) => replicaOf(node).numbers();

export const clear = (node: TestServer) => node.app.pageCache?.invalidate(['site']);

/** Runs `read` without cached pages until all its reads used the replica; returns its last result. */
export async function onReplica<T>(node: TestServer, read: () => Promise<T>): Promise<T> {
  let result: T | undefined;
  const attempt = async () => {
    clear(node);
    const before = readsOf(node);
    result = await read();
    const after = readsOf(node);
    return { usesReplica: after.replica > before.replica, fallbacks: after.primary - before.primary };
  };
  await expect.poll(attempt).toEqual({ usesReplica: true, fallbacks: 0 });
  return result as T;
}

/** Runs `read` without cached pages; expects that none of its reads used the replica. */
export async function onPrimary<T>(node: TestServer, read: () => Promise<T>): Promise<T> {
  clear(node);
  const before = readsOf(node);
  const result = await read();
  const after = readsOf(node);
  expect({ ...after, primary: after.primary > before.primary }).toEqual({ ...before, primary: true });
  return result;
}
