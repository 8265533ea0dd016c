import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tidy } from '../../src/lib/server/search/postgres/tidy.ts';
import { forVisitors } from '../../src/lib/server/storage/storage.ts';
import { ask } from '../postgres/databases.ts';
import { amount } from '../trial.ts';
import {
  onPrimary,
  onReplica,
  openReplicaStage,
  readsOf,
  replicaOf,
  type ReplicaStage,
} from './replica-stage.ts';
import { done, type TestServer } from './server.ts';

/** Changes in the test of a replica that stops and resumes. */
const WRITES = amount('TEST_WRITES', 15, 150);

let stage: ReplicaStage;
beforeAll(async () => {
  stage = await openReplicaStage();
});
afterAll(() => stage?.close());

/** Stops the replica from replaying; returns a function that lets it continue. */
async function pauseReplay(): Promise<() => Promise<unknown>> {
  await ask(stage.standby, 'select pg_wal_replay_pause()');
  const state = 'select pg_get_wal_replay_pause_state() as state';
  await expect.poll(() => ask(stage.standby, state)).toEqual([{ state: 'paused' }]);
  return () => ask(stage.standby, 'select pg_wal_replay_resume()');
}

describe('reads for visitors', () => {
  test('use the replica: pages, lists, feeds and searches', async () => {
    const { nodes, author, surfaces, standby } = stage;
    const [node] = nodes;
    const id = await node.write(author, { title: '山居秋暝' });
    for (const read of surfaces(node, id)) {
      const answer = await onReplica(node, read);
      expect(answer.status).toBe(200);
    }
    const sessions = `select query from pg_stat_activity where application_name = 'moye'`;
    expect(JSON.stringify(await ask(standby, sessions))).toMatch(/articles|users|comments/);
  });

  test('those of a signed-in author use the primary', async () => {
    const { nodes, author } = stage;
    const [node] = nodes;
    const id = await node.write(author);
    await onReplica(node, () => node.get('/home'));
    const before = readsOf(node);
    const own = { content: author.username, status: 'normal' };
    expect(done(await node.post('/api/page/limitpagelist', own, author.token)).result[0]._id).toBe(id);
    done(await node.post('/api/page/detail', { id }, author.token));
    expect(readsOf(node)).toEqual(before);
  });

  test('find the same hits as those on the primary, in the tail and in segments', async () => {
    const { nodes, author } = stage;
    const [node] = nodes;
    const search = (keywords: string, page: number) =>
      node.app.services.articles.search(keywords, { page, pageSize: 5 });
    for (let index = 0; index < 12; index++) {
      await node.write(author, { title: `第${index}首`, content: `松下问童子${index % 3}` });
      if (index % 5 !== 0) continue;
      await tidy(node.app.db, { tail: 3, fanIn: 2 });
    }
    for (const keywords of ['童子', '童子1', '松下 首', '首', '童子不在']) {
      for (const page of [1, 2]) {
        const found = await onReplica(node, () => forVisitors(() => search(keywords, page)));
        expect(found).toEqual(await search(keywords, page));
      }
    }
  });
});

describe('a replica that is behind', () => {
  test('shows nothing stale, and no stale page is kept', async () => {
    const { nodes, author, edit, surfaces } = stage;
    const id = await nodes[0].write(author, { title: '旧题' });
    for (const node of nodes) await onReplica(node, () => node.get(`/detail/${id}`));
    const warn = vi.spyOn(nodes[0].app.log, 'warn');
    const resume = await pauseReplay();
    try {
      await edit(id, '新题');
      for (const node of nodes)
        for (const read of surfaces(node, id)) {
          expect((await read()).text).toContain('新题');
          expect((await onPrimary(node, read)).text).toContain('新题');
        }
      expect((await replicaOf(nodes[0]).lag())?.bytes).toBeGreaterThan(0);
      const metrics = (await nodes[0].get('/metrics')).text;
      expect(metrics).toMatch(/^moye_replica_lag_bytes [1-9]/m);
      expect(metrics).toMatch(/^moye_replica_fallbacks_total [1-9]/m);
      const warned = async () => {
        await onPrimary(nodes[0], () => nodes[0].get('/home'));
        return warn.mock.calls as unknown[][];
      };
      const reason = expect.stringMatching(/^it is \d+ bytes behind$/) as string;
      const line = [{ reason }, 'the read replica is not used'];
      await expect.poll(warned).toEqual([line]);
      expect(await warned()).toEqual([line]);
    } finally {
      await resume();
      warn.mockRestore();
    }
    // Pages that were cached meanwhile stay.
    for (const node of nodes)
      for (const read of surfaces(node, id)) {
        expect((await read()).text).toContain('新题');
        expect((await onReplica(node, read)).text).toContain('新题');
      }
  });

  test('never takes a page back behind an acknowledged write', async () => {
    const { nodes, author, edit, standby } = stage;
    const id = await nodes[0].write(author, { title: '第0版。' });
    let acknowledged = 0;
    const stale: string[] = [];
    const end = new AbortController();
    const read = async (node: TestServer, path: string) => {
      const least = acknowledged;
      const shown = Number(/第(\d+)版。/.exec((await node.get(path)).text)?.[1] ?? -1);
      if (shown < least) stale.push(`${path} showed ${shown} after ${least}`);
    };
    const until = async (work: () => Promise<unknown>) => {
      while (!end.signal.aborted) await work();
    };
    const before = nodes.map(readsOf);
    const running = [
      ...nodes.flatMap((node) =>
        [`/detail/${id}`, `/detail/${id}/true`, '/home'].map((path) => until(() => read(node, path))),
      ),
      until(async () => {
        await ask(standby, 'select pg_wal_replay_pause()');
        await sleep(Math.random() * 60);
        await ask(standby, 'select pg_wal_replay_resume()');
        await sleep(Math.random() * 100);
      }),
    ];
    for (let version = 1; version <= WRITES; version++) {
      await edit(id, `第${version}版。`);
      acknowledged = version;
      await Promise.all(nodes.map((node) => read(node, `/detail/${id}`)));
      await sleep(Math.random() * 100);
    }
    end.abort();
    await Promise.all(running);
    expect(stale).toEqual([]);
    for (const [index, node] of nodes.entries()) {
      expect(readsOf(node).replica).toBeGreaterThan(before[index]?.replica ?? 0);
      expect(readsOf(node).primary).toBeGreaterThan(before[index]?.primary ?? 0);
      expect((await node.get(`/detail/${id}`)).text).toContain(`第${WRITES}版。`);
    }
  });
});
