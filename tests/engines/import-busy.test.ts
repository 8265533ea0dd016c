import { expect, test, vi } from 'vitest';
import { refusal } from '../../src/lib/contract/rules/errors.ts';
import { importFolder } from '../../src/lib/importers/folder/run.ts';
import { createImportService } from '../../src/lib/server/articles/import/import-service.ts';
import { openImportStage } from './import-stage.ts';
import { openSiteImportStage } from './site-import-stage.ts';

const STARVED = refusal('CONTENT_TOO_COMPLEX', { text: '服务器正忙', retryAfter: 0 });

/** Returns `work` that is refused before every second call. */
function busyHalfTheTime<A extends unknown[], R>(work: (...values: A) => Promise<R>) {
  let calls = 0;
  return async (...values: A): Promise<R> => {
    if (calls++ % 2 === 0) throw STARVED;
    return work(...values);
  };
}

test('articles that a busy machine cannot render in time are imported in the same run', async () => {
  const stage = await openImportStage();
  try {
    stage.put({ '甲.md': '# 甲\n\n正文。[乙](乙.md)', '乙.md': '# 乙\n\n正文。' });
    const { articles, formerPaths, files, series, site, friends } = stage.app.services;
    const create = busyHalfTheTime(articles.create);
    const parts = { db: stage.app.db, formerPaths, files, series, site, friends };
    const imports = createImportService({ ...parts, articles: { ...articles, create } });
    const options = { folder: stage.folder, author: stage.author, isDryRun: false, force: false };
    const { counts, failures } = await importFolder(imports, options);
    expect([counts.created, failures]).toEqual([2, []]);
    const imported = await stage.articles();
    expect(imported.get('甲')?.content).toBe(`正文。[乙](/detail/${imported.get('乙')?._id})`);
  } finally {
    await stage.close();
  }
});

test('articles of a site that a busy machine cannot render in time are imported in the same run', async () => {
  const stage = await openSiteImportStage();
  try {
    const { siteImports } = stage.app.services;
    const { open } = siteImports;
    vi.spyOn(siteImports, 'open').mockImplementation((options) => {
      const store = open(options);
      return { ...store, saveArticle: busyHalfTheTime(store.saveArticle) };
    });
    const report = await stage.run({
      users: [{ key: 'u', username: '老张' }],
      articles: ['甲', '乙'].map((title) => ({ key: title, author: 'u', title, content: '正文' })),
    });
    expect(report.articles).toMatchObject({ created: 2, failed: 0 });
    expect(report.notes.filter(({ what }) => what.startsWith('文章'))).toEqual([]);
  } finally {
    await stage.close();
  }
});

test('an import interrupted while the machine is busy leaves the article for the next run', async () => {
  const stage = await openImportStage();
  try {
    stage.put({ '甲.md': '# 甲\n\n正文。' });
    const interrupt = new AbortController();
    const { imports } = stage.app.services;
    const save: typeof imports.save = async () => {
      interrupt.abort();
      throw STARVED;
    };
    const { signal } = interrupt;
    const options = { folder: stage.folder, author: stage.author, isDryRun: false, force: false, signal };
    const stopped = await importFolder({ ...imports, save }, options);
    expect([stopped.wasStopped, stopped.counts.failed, stopped.failures]).toEqual([true, 0, []]);
    expect((await stage.run()).counts).toMatchObject({ created: 1, failed: 0 });
  } finally {
    await stage.close();
  }
});
