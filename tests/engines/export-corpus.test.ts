import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '../../src/lib/importers/folder/run.ts';
import { openBackupStage, type BackupStage } from './backup-stage.ts';
import { exportFrom, importInto, openHome, sameDigests } from './export-stage.ts';
import { CORPUS, CORPUS_TIMEOUT_MS, hasCorpus } from './import-stage.ts';

/** `MOYE_CORPUS=whole` tests the whole corpus, otherwise about 15 of its articles. */
const isWhole = process.env['MOYE_CORPUS'] === 'whole';
const PARTS = isWhole ? ['.'] : ['java/collection', 'java/io'];

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

describe.skipIf(!hasCorpus)('real articles', () => {
  test(
    'with comments, series, covers and versions are the same after an export',
    { timeout: isWhole ? 1_800_000 : CORPUS_TIMEOUT_MS },
    async () => {
      const folder = join(stage.folder, 'blog');
      mkdirSync(folder);
      for (const part of PARTS.filter((each) => existsSync(join(CORPUS, each))))
        cpSync(join(CORPUS, part), join(folder, part), { recursive: true });
      const site = await stage.home('site');
      const app = await openHome(site);
      const { accounts, articles, comments, imports, series, users } = app.services;
      const { id } = await accounts.add({ username: '作者', password: '松风吹解带山月照弹琴', bio: '' });
      const author = { id, username: '作者', signinId: '', origin: '' };
      await importFolder(imports, { folder, author, isDryRun: false, force: false });
      const own = await articles.list({ of: 'author', authorId: id }, { page: 1, pageSize: 100 });
      expect(own.total).toBeGreaterThan(10);
      const all = await series.create({ title: '全集', description: '', cover: '' }, author);
      for (const { id: article } of own.result.slice(0, 5)) {
        const source = await articles.readSource(article, author);
        const { title, tags, secret, type, update_time, content } = source;
        const edited = { id: article, title, tags, secret, type, update_time, content: `${content}\n\n又及` };
        await articles.edit({ ...edited, status: 'normal', series: all._id }, author);
        const blank = { page_id: article, request_id: '', reply_user: '', reply_content: '' };
        await comments.create({ ...blank, content: `读《${title}》` }, author);
      }
      expect(await users.find('作者')).not.toBeNull();
      await app.close();

      const zip = join(stage.folder, 'out.zip');
      const { counts } = await exportFrom(site, zip);
      expect(counts.articles).toBe(own.total);
      const there = await stage.home('there');
      expect((await importInto(there, zip)).losses).toEqual([]);
      const bodies = ['article_bodies'];
      expect(await sameDigests(there, bodies)).toEqual(await sameDigests(site, bodies));
    },
  );
});
