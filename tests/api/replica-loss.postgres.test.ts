import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPostgresPool } from '../../src/lib/server/db/postgres/postgres-pool.ts';
import { createReplica, POSITION, type Position } from '../../src/lib/server/db/postgres/postgres-replica.ts';
import { examine } from '../../src/lib/server/operations/doctor.ts';
import { forVisitors } from '../../src/lib/server/storage/storage.ts';
import { TOKEN_SECRET } from '../engine.ts';
import { ask } from '../postgres/databases.ts';
import { startPostgres } from '../postgres/start.ts';
import {
  clear,
  onPrimary,
  onReplica,
  openReplicaStage,
  replicaOf,
  type ReplicaStage,
} from './replica-stage.ts';
import { openServer, type TestServer } from './server.ts';

let stage: ReplicaStage;
beforeAll(async () => {
  stage = await openReplicaStage();
});
afterAll(() => stage?.close());

const doctorOf = async ({ app }: TestServer) =>
  (await Array.fromAsync(examine(app, { mends: false }))).find(({ check }) => check === '只读副本');

test.each([
  ['the state of the primary', 'replica', {}],
  ['another timeline', 'primary', { timeline: 2 }],
  ['another database system', 'primary', { system: '1' }],
  ['a later state', 'primary', { lsn: 'FF/0' }],
])('reads that need %s use the %s, also for a user without special rights', async (_, used, difference) => {
  const { nodes, postgres, standby } = stage;
  const [row] = await ask(postgres.url, `select ${POSITION}`);
  const position = { ...(row as unknown as Position), ...difference };
  await expect.poll(async () => (await replicaOf(nodes[0]).lag())?.bytes).toBeLessThanOrEqual(0);
  const user = `plain_${Math.random().toString(36).slice(2)}`;
  await ask(postgres.url, `create role ${user} login`);
  const url = Object.assign(new URL(standby), { username: user }).href;
  await expect.poll(() => ask(url, 'select 1').catch(() => null)).not.toBeNull();
  const log = { info: () => {}, warn: () => {} };
  const primary = createPostgresPool(postgres.url, 2, log);
  const { pool, close } = createReplica(url, 2, primary, () => position, log);
  const session = await forVisitors(() => pool.acquire('readers'));
  const { rows } = await session.run('select pg_is_in_recovery() as "isReplica"', [], 1_000);
  expect(rows).toEqual([{ isReplica: used === 'replica' }]);
  session.release();
  await close();
  await primary.close();
});

describe('a replica that cannot be reached', () => {
  test('is replaced by the primary, with one warning, until it is back', async () => {
    const { nodes, author, surfaces, network, standby } = stage;
    const [node] = nodes;
    const id = await node.write(author, { title: '断线' });
    await onReplica(node, () => node.get(`/detail/${id}`));
    const warn = vi.spyOn(node.app.log, 'warn');
    network.switchTo(null);
    for (const read of surfaces(node, id)) expect((await onPrimary(node, read)).status).toBe(200);
    const lines = (warn.mock.calls as unknown[][]).map(([, text]) => text);
    expect(lines).toEqual(['the read replica is unreachable']);
    warn.mockRestore();
    expect(await replicaOf(node).lag()).toBeNull();
    expect((await node.get('/metrics')).text).toMatch(/^moye_replica_lag_seconds Nan$/im);
    expect(JSON.parse((await node.get('/healthz?verbose')).text)).toMatchObject({
      status: 'ok',
      replica: null,
    });
    expect(await doctorOf(node)).toMatchObject({ verdict: 'doubtful' });
    network.switchTo(standby);
    await onReplica(node, () => node.get('/home'));
    expect(JSON.parse((await node.get('/healthz?verbose')).text)).toMatchObject({
      replica: { seconds: expect.any(Number) as number },
    });
    await expect.poll(() => doctorOf(node)).toMatchObject({ verdict: 'fine' });
  });

  test('is given up when its connections silently stall', async () => {
    const { nodes, author, network } = stage;
    const [node] = nodes;
    const id = await node.write(author, { title: '无声' });
    const search = () => node.post('/api/page/searchpage', { keywords: '无声' });
    for (const read of [() => node.get(`/detail/${id}`), search]) {
      await onReplica(node, read);
      expect(network.silence()).toBeGreaterThan(0);
      clear(node);
      const answer = await read();
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('无声')]);
    }
  });

  test('loses nothing when it is killed', async () => {
    const { nodes, author, surfaces, edit, postgres } = stage;
    const [node] = nodes;
    const id = await node.write(author, { title: '生前' });
    await onReplica(node, () => node.get(`/detail/${id}`));
    await postgres.killStandby();
    for (const read of surfaces(node, id)) {
      clear(node);
      expect((await read()).text).toContain('生前');
    }
    await edit(id, '身后');
    for (const read of surfaces(node, id)) expect((await read()).text).toContain('身后');
  });
});

test('a replica that was promoted is not read', async () => {
  const own = await startPostgres();
  const promoted = await own.follow();
  const settings = { DATABASE_URL: own.url, DATABASE_READ_URL: promoted, TOKEN_SECRET };
  const node = await openServer(settings);
  try {
    const writer = await node.join('山中');
    const id = await node.write(writer, { title: '真的' });
    await onReplica(node, () => node.get(`/detail/${id}`));
    await ask(promoted, 'select pg_promote()');
    await ask(promoted, `update articles set title = '假的'`);
    clear(node);
    // The next probe of the primary makes each connection prove itself again.
    await expect
      .poll(() =>
        onPrimary(node, () => node.get('/home')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    for (let index = 0; index < 10; index++) {
      const { text } = await onPrimary(node, () => node.get(`/detail/${id}`));
      expect(text).toContain('真的');
      expect(text).not.toContain('假的');
    }
    expect(await replicaOf(node).lag()).toBeNull();
  } finally {
    await node.close();
    await own.end();
  }
});
