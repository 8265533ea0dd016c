import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFolder } from '../../src/lib/importers/folder/run.ts';
import type { App } from '../../src/lib/server/app.ts';
import { CORPUS, CORPUS_TIMEOUT_MS, hasCorpus } from './import-stage.ts';
import { addComments, openMoveStage, openSite, PASSWORD, type MoveStage } from './move-stage.ts';
import { randomFrom } from './search-fixture.ts';

const COMMENTS = 10_000;

describe.skipIf(!hasCorpus)(`430 real articles and ${COMMENTS} comments, moved to PostgreSQL`, () => {
  let stage: MoveStage;
  const sites: App[] = [];
  beforeAll(async () => {
    stage = await openMoveStage();
    const site = await openSite(stage.dataDir);
    const { accounts, imports } = site.services;
    const { id, username } = await accounts.add({ username: '作者', password: PASSWORD, bio: '' });
    await accounts.add({ username: '读者', password: PASSWORD, bio: '' });
    const author = { id, username, signinId: '', origin: '' };
    const rest = {
      isDryRun: false,
      force: false,
      signal: new AbortController().signal,
      onProgress: () => {},
    };
    await importFolder(imports, { folder: CORPUS, author, ...rest });
    await site.close();
    addComments(stage.dataDir, COMMENTS);
  }, CORPUS_TIMEOUT_MS);
  afterAll(async () => {
    for (const site of sites) await site.close();
    await stage?.close();
  });

  test(
    'counts, checksums and the totals of 100 searches are equal',
    { timeout: CORPUS_TIMEOUT_MS },
    async () => {
      const { outcome, tables } = await stage.move();
      expect(outcome).toBe('moved');
      const rowsOf = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));
      expect(rowsOf['articles']).toBeGreaterThan(424);
      expect(rowsOf).toMatchObject({ users: 2, comments: COMMENTS, comment_recipients: COMMENTS });
      // Reads both sides again and compares every table.
      expect(await stage.move()).toMatchObject({ outcome: 'same', tables });

      sites.push(await openSite(stage.dataDir), await openSite(stage.targetDir, stage.target.settings));
      const totals = async (words: string) =>
        Promise.all(
          sites.map(
            async (site) => (await site.services.articles.search(words, { page: 1, pageSize: 10 })).total,
          ),
        );
      let found = 0;
      for (const words of queries(100)) {
        const [before, after] = await totals(words);
        expect([words, after]).toEqual([words, before]);
        found += before ?? 0;
      }
      expect(found).toBeGreaterThan(1000);
    },
  );
});

/** Phrases of one to six characters from real articles, some of them pairs. */
function queries(count: number): string[] {
  const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const texts = files.sort().map((name) => readFileSync(join(CORPUS, name), 'utf8'));
  const random = randomFrom(11);
  const phrase = (): string => {
    const text = texts[Math.floor(random() * texts.length)] ?? '';
    const start = Math.floor(random() * text.length);
    const cut = Array.from(text.slice(start, start + 12)).slice(0, 1 + Math.floor(random() * 6));
    return /^[\p{L}\p{N} ]+$/u.test(cut.join('').trim()) ? cut.join('').trim() : phrase();
  };
  return Array.from({ length: count }, (_, index) =>
    index % 4 === 0 ? `${phrase()} ${phrase()}` : phrase(),
  );
}
