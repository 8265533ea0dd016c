import { expect, test } from 'vitest';
import { twoColours } from '../unit/files/pictures.ts';
import { emptyDisk, fillDisk } from './full-disk.ts';
import { openImportStage } from './import-stage.ts';
import { openSiteImportStage, type FakeSite } from './site-import-stage.ts';

const COUNT = 8;
const ROUNDS = Array.from({ length: COUNT }, (_, at) => at);
/** Longer than the free space in any page of the database. */
const LONG = '山高水长。'.repeat(4_000);
const FULL = { code: 'STORAGE_FULL' };

/** Returns a different picture for each article. */
const pictureOf = (at: number) =>
  twoColours(40 + at, 30)
    .png()
    .toBuffer();

test('importing a folder stops when the disk is full, and the same command resumes', async () => {
  const stage = await openImportStage();
  try {
    for (const at of ROUNDS)
      stage.put({
        [`${at}.md`]: `---\ntitle: 第 ${at} 篇\n---\n![](${at}.png) [下一篇](${(at + 1) % COUNT}.md)\n\n${LONG}`,
        [`${at}.png`]: await pictureOf(at),
      });
    let filling: Promise<void> | undefined;
    const onProgress = (done: number) => {
      if (done === 2) filling ??= fillDisk(stage.app.db);
    };
    await expect(stage.run({ onProgress })).rejects.toMatchObject(FULL);
    const before = await stage.count('select count(*) from articles');
    expect(before).toBeLessThan(COUNT);
    await expect(stage.run()).rejects.toMatchObject(FULL);
    await filling;
    await emptyDisk(stage.app.db);
    const { counts, warnings } = await stage.run();
    expect([counts.created, counts.unchanged, counts.failed]).toEqual([COUNT - before, before, 0]);
    expect(warnings.filter(({ text }) => text.includes('图片'))).toEqual([]);
    for (const { content } of (await stage.articles()).values())
      expect(content).toMatch(/^!\[\]\(\/api\/file\/\S+\) \[下一篇\]\(\/detail\/[0-9a-f]{24}\)/);
  } finally {
    await stage.close();
  }
});

test.each(['articles', 'comments'] as const)(
  'a site ends at once when the disk is full while %s come, and the same command goes on',
  async (when) => {
    const stage = await openSiteImportStage();
    try {
      const addressOf = (at: number) => `https://old.example/${at}.png`;
      const pictures = await Promise.all(
        ROUNDS.map(async (at) => [addressOf(at), await pictureOf(at)] as const),
      );
      const site: FakeSite = {
        users: [{ key: 'u', username: '老张' }],
        articles: ROUNDS.map((at) => ({
          key: `a${at}`,
          author: 'u',
          title: `第 ${at} 篇`,
          content: `![](${addressOf(at)})\n\n${LONG}`,
        })),
        comments: Array.from({ length: 120 }, (_, at) => ({
          key: `c${at}`,
          article: `a${at % COUNT}`,
          author: 'u',
          content: `第 ${at} 条${LONG.slice(0, 180)}`,
          created: Date.UTC(2019, 4, 1) + at,
        })),
        pictures: Object.fromEntries(pictures),
      };
      let filling: Promise<void> | undefined;
      const onProgress = (step: string) => {
        if (step === when) filling ??= fillDisk(stage.app.db);
      };
      await expect(stage.run(site, { onProgress })).rejects.toMatchObject(FULL);
      await filling;
      const [articles, comments] = [
        await stage.count('select count(*) from articles'),
        await stage.count('select count(*) from comments'),
      ];
      expect(when === 'articles' ? articles : comments).toBeGreaterThan(0);
      await emptyDisk(stage.app.db);
      const report = await stage.run(site);
      expect(report.articles).toMatchObject({ created: COUNT - articles, unchanged: articles, failed: 0 });
      expect(report.comments).toMatchObject({ created: 120 - comments, known: comments, lost: 0 });
      expect(report.notes.filter(({ what }) => what.startsWith('文章'))).toEqual([]);
      expect(await stage.rows("select id from articles where title like '第%'")).toHaveLength(COUNT);
    } finally {
      await stage.close();
    }
  },
);
