import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { writeDump } from '../mongo-dump.ts';
import { amount, tally } from '../trial.ts';
import { manyArticles, manyComments } from '../old-blog.ts';
import { openBackupStage, type BackupStage, type Home } from './backup-stage.ts';
import { exportFrom, openHome, sameDigests } from './export-stage.ts';
import { runMoye } from './import-command.ts';
import { articleCount, commentCount, expectConsistent, signalWhen } from './killed-stage.ts';

const [ARTICLES, COMMENTS] = [120, 2000];
/** Number of times the import is killed while it writes articles. */
const KILLS = amount('TRUST_KILLS', 1, 2);
let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage?.close());

/** Creates a site with many articles and comments, and the command that imports its export. */
async function exported(): Promise<{ site: Home; words: string[] }> {
  const site = await stage.home('many', { isSqlite: true });
  const blog = { ...manyArticles(ARTICLES, '空山新雨后。'.repeat(30)), ...commentsOnly() };
  const dump = writeDump(stage.folder, blog, 'archive --gzip');
  expect((await runMoye(site.storage, ['import', 'mongo', dump])).code).toBe(0);
  const folder = join(stage.folder, 'out');
  await exportFrom(site, folder);
  return { site, words: ['import', 'moye', folder, '--with-accounts'] };
}

const commentsOnly = () => ({ comments: manyComments(5, COMMENTS / 5)['comments'] ?? [] });

/** Creates an empty site whose rows can be counted. */
async function emptySite(): Promise<Home> {
  const there = await stage.home('there');
  await (await openHome(there)).close();
  return there;
}

const LONG = { timeout: TEST_MS + 10_000 * KILLS };

test(
  'an import of an export killed during articles and comments is completed by the next run',
  LONG,
  async () => {
    const { site, words } = await exported();
    const there = await emptySite();
    const { storage } = there;
    const killWhen = async (isTime: () => Promise<boolean>): Promise<void> => {
      const { end } = await signalWhen(storage, words, 'SIGKILL', isTime);
      expect(end).toEqual([null, 'SIGKILL']);
      tally('imports killed');
      await expectConsistent(storage);
    };
    for (let kill = 1; kill <= KILLS; kill++)
      await killWhen(async () => (await articleCount(storage)) >= (ARTICLES / 3) * (kill / KILLS));
    expect(await articleCount(storage)).toBeLessThan(ARTICLES);
    await killWhen(async () => (await commentCount(storage)) > 0);
    const commented = await commentCount(storage);
    expect(commented).toBeLessThan(COMMENTS);
    const last = await runMoye(storage, words);
    expect(last.output).toContain(`文章：导入 0，已有 ${ARTICLES}\n`);
    expect(last.output).toContain(`评论：导入 ${COMMENTS - commented}，已有 ${commented}\n`);
    expect(await sameDigests(there)).toEqual(await sameDigests(site));
    await expectConsistent(storage);
    const again = await runMoye(storage, words);
    expect(again.output).toContain(
      `文章：导入 0，已有 ${ARTICLES}\n历史版本：导入 0，已有 ${ARTICLES}\n评论：导入 0，已有 ${COMMENTS}\n`,
    );
    expect(await sameDigests(there)).toEqual(await sameDigests(site));
  },
);

test('Ctrl-C ends it after the current article, and the same command resumes', LONG, async () => {
  const { site, words } = await exported();
  const there = await emptySite();
  const { storage } = there;
  const isTime = async () => (await articleCount(storage)) >= ARTICLES / 3;
  const { end, output, errors } = await signalWhen(storage, words, 'SIGINT', isTime);
  expect([end, errors]).toEqual([[130, null], '']);
  expect(output).toMatch(/^已停下：再次运行同样的命令会接着导入\n/);
  const written = await articleCount(storage);
  expect(written).toBeLessThan(ARTICLES);
  await expectConsistent(storage);
  const last = await runMoye(storage, words);
  expect(last.output).toContain(`文章：导入 ${ARTICLES - written}，已有 ${written}\n`);
  expect(await sameDigests(there)).toEqual(await sameDigests(site));
});
