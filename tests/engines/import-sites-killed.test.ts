import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStorage, ENGINE, type TestStorage } from '../engine.ts';
import { foreignSites } from '../foreign-sites.ts';
import { runMoye, startMoye } from './import-command.ts';

// More comments than one transaction takes.
const COUNT = 120;
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-sites-killed-'));
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
async function killWhen(words: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  const running = startMoye(storage, words);
  const ended = once(running, 'exit');
  while (!(await isTime()) && running.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  running.kill('SIGKILL');
  await ended;
  await expectConsistent();
}

test.each(Object.entries(foreignSites))(
  'an import of %s that is killed, among articles and among comments, is completed by the next',
  { timeout: 180_000 },
  async (product, write) => {
    const words = ['import', product, await write(place, COUNT)];
    await killWhen(words, async () => (await articleCount()) >= COUNT / 3);
    expect(await articleCount()).toBeLessThan(COUNT);
    const all = product === 'ghost' ? 0 : COUNT;
    if (all > 0) await killWhen(words, async () => (await commentCount()) > 0);
    const [written, commented] = [await articleCount(), await commentCount()];
    const last = await runMoye(storage, words);
    expect(last.output).toContain(`文章  新增 ${COUNT - written}，更新 0，未变 ${written}，失败 0`);
    expect(last.output).toContain(`评论  新增 ${all - commented}，上次已导入 ${commented}，没有导入 0`);
    expect([await articleCount(), await commentCount()]).toEqual([COUNT, all]);
    await expectConsistent();
    const rows = await storage.rows('select article_id as id, content from article_bodies');
    const known = new Set(rows.map(({ id }) => id));
    const lost = rows.filter(({ content }) => !known.has(/\/detail\/(.{24})/.exec(String(content))?.[1]));
    expect(lost).toEqual([]);
    const again = await runMoye(storage, words);
    expect(again.output).toContain(`文章  新增 0，更新 0，未变 ${COUNT}，失败 0`);
    expect(again.output).toContain(`评论  新增 0，上次已导入 ${all}，没有导入 0`);
  },
);
