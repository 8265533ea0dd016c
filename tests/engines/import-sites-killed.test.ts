import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { foreignSites } from '../foreign-sites.ts';
import { writeDump } from '../mongo-dump.ts';
import { manyComments } from '../old-blog.ts';
import { amount, tally } from '../trial.ts';
import { runMoye } from './import-command.ts';
import {
  articleCount,
  commentCount,
  expectConsistent,
  expectRemembered,
  signalWhen,
} from './killed-stage.ts';

// More comments than fit into one transaction.
const COUNT = 120;
/** Number of times each import is killed while it writes articles. */
const KILLS = amount('TRUST_KILLS', 1, 2);
const PATIENT = { timeout: TEST_MS + 10_000 * KILLS };
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-sites-killed-'));
  storage = await createStorage(join(place, 'data'));
  // Creates the database, because the tests count its rows.
  await runMoye(storage, ['user', 'list']);
});
afterEach(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

async function expectSound(): Promise<void> {
  await expectConsistent(storage);
  await expectRemembered(storage);
}

/** Runs the command, and kills it as soon as `isTime` is true. */
async function killWhen(words: readonly string[], isTime: () => Promise<boolean>): Promise<void> {
  await signalWhen(storage, words, 'SIGKILL', isTime);
  tally('imports killed');
  await expectSound();
}

test.each(Object.entries(foreignSites))(
  'an import of %s that is killed, among articles and among comments, is completed by the next',
  PATIENT,
  async (product, write) => {
    const words = ['import', product, await write(place, COUNT)];
    for (let kill = 1; kill <= KILLS; kill++)
      await killWhen(words, async () => (await articleCount(storage)) >= (COUNT / 3) * (kill / KILLS));
    expect(await articleCount(storage)).toBeLessThan(COUNT);
    const all = product === 'ghost' ? 0 : COUNT;
    if (all > 0) await killWhen(words, async () => (await commentCount(storage)) > 0);
    const [written, commented] = [await articleCount(storage), await commentCount(storage)];
    const last = await runMoye(storage, words);
    expect(last.output).toContain(`文章  新增 ${COUNT - written}，更新 0，未变 ${written}，失败 0`);
    expect(last.output).toContain(`评论  新增 ${all - commented}，上次已导入 ${commented}，没有导入 0`);
    expect([await articleCount(storage), await commentCount(storage)]).toEqual([COUNT, all]);
    await expectSound();
    const rows = await storage.rows('select article_id as id, content from article_bodies');
    const known = new Set(rows.map(({ id }) => id));
    const lost = rows.filter(({ content }) => !known.has(/\/detail\/(.{24})/.exec(String(content))?.[1]));
    expect(lost).toEqual([]);
    const again = await runMoye(storage, words);
    expect(again.output).toContain(`文章  新增 0，更新 0，未变 ${COUNT}，失败 0`);
    expect(again.output).toContain(`评论  新增 0，上次已导入 ${all}，没有导入 0`);
  },
);

test('an import killed between two batches of comments imports none twice', PATIENT, async () => {
  const [articles, each] = [5, 400];
  const words = ['import', 'mongo', writeDump(place, manyComments(articles, each), 'archive')];
  await killWhen(words, async () => (await commentCount(storage)) > 0);
  const commented = await commentCount(storage);
  expect(commented).toBeLessThan(articles * each);
  const last = await runMoye(storage, words);
  const left = articles * each - commented;
  expect(last.output).toContain(`评论  新增 ${left}，上次已导入 ${commented}，没有导入 0`);
  expect(await storage.count('select count(distinct content) from comments')).toBe(articles * each);
  await expectSound();
});
