import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStorage, ENGINE, type TestStorage } from '../engine.ts';
import { writeDump } from '../mongo-dump.ts';
import { manyArticles } from '../old-blog.ts';
import { runMoye, startMoye } from './import-command.ts';

const COUNT = 120;
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-mongo-killed-'));
  storage = await createStorage(join(place, 'data'));
  // Makes the database, whose rows are counted.
  await runMoye(storage, ['user', 'list']);
});
afterEach(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

const articleCount = () => storage.count('select count(*) from articles');
const commentCount = () => storage.count('select count(*) from comments');

/** Every number that is kept beside its subject equals what it counts. */
async function expectConsistent(): Promise<void> {
  const { count } = storage;
  if (ENGINE === 'sqlite') {
    expect(await storage.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await storage.rows('pragma foreign_key_check')).toEqual([]);
  }
  const articles = await count('select count(*) from articles where is_public = 1');
  expect(await count('select sum(page_num) from users')).toBe(articles);
  expect(await count("select value from counters where name = 'users'")).toBe(
    await count('select count(*) from users'),
  );
  expect(await count('select count(*) from article_bodies')).toBe(articles);
  expect(await count('select count(*) from search_documents')).toBe(articles);
  const taken = (kind: string) =>
    count(`select count(*) from imports where source like 'site:%:${kind}:%' and digest != ''`);
  expect(await taken('article')).toBe(articles);
  expect(await taken('comment')).toBe(await commentCount());
}

/** Runs the command, and kills it as soon as `isTime`. */
async function killWhen(path: string, isTime: () => Promise<boolean>): Promise<void> {
  const running = startMoye(storage, ['import', 'mongo', path]);
  const ended = once(running, 'exit');
  while (!(await isTime()) && running.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  running.kill('SIGKILL');
  await ended;
  await expectConsistent();
}

test('an import that is killed, among articles and among comments, is completed by the next', async () => {
  const path = writeDump(place, manyArticles(COUNT, '空山新雨后。'.repeat(30)), 'archive --gzip');
  await killWhen(path, async () => (await articleCount()) >= COUNT / 3);
  const written = await articleCount();
  expect(written).toBeLessThan(COUNT);
  await killWhen(path, async () => (await commentCount()) > 0);
  const commented = await commentCount();
  const last = await runMoye(storage, ['import', 'mongo', path]);
  expect(last.output).toContain(`文章  新增 0，更新 0，未变 ${COUNT}，失败 0`);
  expect(last.output).toContain(`评论  新增 ${COUNT - commented}，上次已导入 ${commented}，没有导入 0`);
  expect([await articleCount(), await commentCount()]).toEqual([COUNT, COUNT]);
  await expectConsistent();
  const known = new Set((await storage.rows('select id from articles')).map(({ id }) => id));
  const contents = (await storage.rows('select content from article_bodies')).map(({ content }) =>
    String(content),
  );
  expect(contents.filter((text) => !known.has(/\/detail\/(.{24})/.exec(text)?.[1]))).toEqual([]);
}, 180_000);
