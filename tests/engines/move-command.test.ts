import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteIn } from '../engine.ts';
import { runMoye, startMoye } from './import-command.ts';
import { addComments, fillSite, openMoveStage, openSite, type MoveStage } from './move-stage.ts';

const COMMENTS = 20_000;
/** Several processes run one after another, possibly on a busy machine. */
let stage: MoveStage;
beforeEach(async () => {
  stage = await openMoveStage();
  await fillSite(stage.dataDir);
  mkdirSync(stage.targetDir, { recursive: true });
});
afterEach(() => stage.close());

const moye = (...words: string[]) => runMoye(sqliteIn(stage.dataDir), words);
const command = () => ['move', '--from', stage.from, '--to', stage.to];
const countComments = async () => {
  const [row] = await stage.target.rows('select count(*) as total from comments').catch(() => []);
  return Number(row?.['total'] ?? 0);
};

test('moye move reports its progress and each moved table', async () => {
  const rehearsed = await moye(...command(), '--dry-run');
  expect([rehearsed.code, rehearsed.errors]).toEqual([0, '']);
  expect(rehearsed.output).toMatch(/^users +2$/m);
  expect(rehearsed.output).toMatch(/^可以搬家：共 \d+ 行。没有写入任何数据$/m);

  const { code, output, errors } = await moye(...command());
  expect(code).toBe(0);
  expect(output).toMatch(/^users +2 {2}[0-9a-f]{16}$/m);
  expect(output).toMatch(/^已搬完：共 \d+ 行；逐表核对，两边一致$/m);
  expect(errors).toMatch(/^复制 users 0\/\d+\n复制 former_names 2\/\d+\n/);
  expect(errors).toMatch(/^核对 users \d+\/\d+$/m);
  expect(errors).toMatch(/\n重建搜索索引 0\/1\n$/);

  const again = await moye(...command());
  expect(again.output).toMatch(/^两边本来就一致：共 \d+ 行，没有写入任何数据$/m);
});

test(
  'a killed move leaves a target that is not served, and the next run completes it',
  { tags: ['long'] },
  async () => {
    addComments(stage.dataDir, COMMENTS);
    const running = startMoye(sqliteIn(stage.dataDir), command());
    const ended = once(running, 'exit');
    while ((await countComments()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.kill('SIGKILL');
    await ended;
    const copied = await countComments();
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThan(COMMENTS);
    await expect(openSite(stage.targetDir, stage.target.settings)).rejects.toThrow('is not done');

    const { code, output } = await moye(...command());
    expect(code).toBe(0);
    const [, found] = /其中 (\d+) 行上次已经搬到；逐表核对，两边一致$/m.exec(output) ?? [];
    expect(Number(found)).toBeGreaterThanOrEqual(copied);
    expect(await countComments()).toBe(COMMENTS + 2);
    await (await openSite(stage.targetDir, stage.target.settings)).close();
  },
);

test('Ctrl-C stops it between two batches', { tags: ['long'] }, async () => {
  addComments(stage.dataDir, COMMENTS);
  const running = startMoye(sqliteIn(stage.dataDir), command());
  const ended = once(running, 'exit');
  let output = '';
  running.stdout?.on('data', (chunk) => (output += String(chunk)));
  while ((await countComments()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  running.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(output).toBe('已停下，目标数据库还不完整：再次运行同样的命令会接着搬\n');
  expect((await moye(...command())).code).toBe(0);
});

test('failures are reported in one line, without a password', async () => {
  const wrong = await moye('move', '--from', stage.from, '--to', 'postgres://me:secret@127.0.0.1:1/blog');
  expect([wrong.code, wrong.output]).toEqual([1, '']);
  expect(wrong.errors).toMatch(/^moye：cannot use PostgreSQL database 127\.0\.0\.1:1\/blog: [^\n]+\n$/);
  expect(wrong.errors).not.toContain('secret');
  expect((await moye('move', '--from', stage.from)).errors).toMatch(/^moye：缺少选项 --to <address>\n/);
  const nowhere = await moye('move', '--from', 'sqlite:/nowhere', '--to', stage.to);
  expect(nowhere.errors).toMatch(/^moye：cannot use database \/nowhere: [^\n]+\n$/);
});
