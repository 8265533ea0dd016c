import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MoveProgress } from '../../src/lib/server/operations/move.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { addComments, everything, fillSite, openMoveStage, type MoveStage } from './move-stage.ts';

let server: TestPostgres;
let stage: MoveStage;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.end());
beforeEach(async () => {
  stage = await openMoveStage();
  await fillSite(stage.dataDir);
});
afterEach(() => stage.close());

const SENTENCE = /^数据库没有回应（[^\n]+）：等它恢复后再次运行同样的命令，会接着搬$/;

test('a server lost during a move is reported in one line; then the move resumes', async () => {
  addComments(stage.dataDir, 20_000);
  let stopping: Promise<void> | undefined;
  const onProgress = ({ step, table, done, total }: MoveProgress) => {
    if (step === 'copy' && table === 'comments' && done < total / 2) stopping ??= server.stop();
  };
  await expect(stage.move({ to: server.url, onProgress })).rejects.toThrow(SENTENCE);
  await stopping;
  await expect(stage.move({ to: server.url })).rejects.toThrow(/^cannot use PostgreSQL database [^\n]+$/);
  await server.start();
  const report = await stage.move({ to: server.url });
  expect(report.outcome).toBe('moved');
  expect(report.found).toBeGreaterThan(2);
  expect(await everything(server.url)).toEqual(await everything(stage.from));
});

test('a lost source is too', async () => {
  addComments(stage.dataDir, 20_000);
  await stage.move();
  // The source is on the PostgreSQL server that all suites share, so the test only terminates its sessions.
  const { rows } = stage.target;
  let ending: Promise<unknown> | undefined;
  const onProgress = () => {
    const sessions = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    ending ??= rows(sessions);
  };
  const slowly = { from: stage.to, to: stage.from.replace('moye.sqlite', 'back.sqlite'), onProgress };
  await expect(stage.move(slowly)).rejects.toThrow(SENTENCE);
  await ending;
  expect((await stage.move(slowly)).outcome).toBe('moved');
});
