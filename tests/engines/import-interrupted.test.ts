import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStorage, type TestStorage } from '../engine.ts';
import { foreignSites } from '../foreign-sites.ts';
import { writeDump } from '../mongo-dump.ts';
import { manyComments } from '../old-blog.ts';
import { runMoye } from './import-command.ts';
import {
  articleCount,
  commentCount,
  expectConsistent,
  expectRemembered,
  signalWhen,
} from './killed-stage.ts';

const COUNT = 45;
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-interrupted-'));
  storage = await createStorage(join(place, 'data'));
  // Creates the database, because the tests count its rows.
  await runMoye(storage, ['user', 'list']);
});
afterEach(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

const STOPPED = '导入已中断，已导入的内容都已保存；再次运行同样的命令会接着导入。';

/**
 * Sends SIGINT as soon as `isTime` is true. The command must exit by itself, print one message and leave
 * consistent data.
 */
async function interruptWhen(words: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const { end, output, errors } = await signalWhen(storage, words, 'SIGINT', isTime);
  expect([end, errors]).toEqual([[130, null], '']);
  expect(output.split('\n').filter((line) => line === STOPPED)).toHaveLength(1);
  await expectConsistent(storage);
  await expectRemembered(storage);
}

test.each(Object.entries(foreignSites))(
  'Ctrl-C ends an import of %s among articles, and the same command goes on',
  async (product, write) => {
    const words = ['import', product, await write(place, COUNT)];
    await interruptWhen(words, async () => (await articleCount(storage)) >= COUNT / 3);
    const written = await articleCount(storage);
    expect(written).toBeLessThan(COUNT);
    const { code, output } = await runMoye(storage, words);
    expect(code).toBe(0);
    expect(output).toContain(`文章  新增 ${COUNT - written}，更新 0，未变 ${written}，失败 0`);
    expect(await commentCount(storage)).toBe(product === 'ghost' ? 0 : COUNT);
  },
);

test('Ctrl-C during comments ends an import, and the same command resumes', async () => {
  const all = 2000;
  const words = ['import', 'mongo', writeDump(place, manyComments(5, all / 5), 'archive')];
  await interruptWhen(words, async () => (await commentCount(storage)) > 0);
  const commented = await commentCount(storage);
  expect(commented).toBeLessThan(all);
  const { output } = await runMoye(storage, words);
  expect(output).toContain(`评论  新增 ${all - commented}，上次已导入 ${commented}，没有导入 0`);
});

/** Whether the process has opened the file. */
const hasOpen = (pid: number, file: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === file;
    } catch {
      return false;
    }
  });

test.skipIf(process.platform !== 'linux')(
  'Ctrl-C while reading the source ends it at once, in one line, with nothing written',
  async () => {
    const file = join(place, 'large.sql.gz');
    const part = gzipSync('-- 空山新雨后\n'.repeat(2 ** 20));
    writeFileSync(file, Buffer.concat(Array.from({ length: 100 }, () => part)));
    const words = ['import', 'typecho', file];
    const said = await signalWhen(storage, words, 'SIGINT', (pid) => hasOpen(pid, file));
    expect(said).toEqual({ end: [130, null], output: '已停下，没有写入任何内容\n', errors: '' });
    expect(await storage.count('select count(*) from imports')).toBe(0);
  },
);

test.each(Object.keys(foreignSites))(
  'moye import %s refuses a pipe, which cannot be read twice, in one line',
  async (product) => {
    const pipe = join(place, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, output, errors } = await runMoye(storage, ['import', product, pipe]);
    expect([code, output, errors]).toEqual([1, '', 'moye：这不是文件，请先把内容存成一个文件再导入\n']);
  },
);
