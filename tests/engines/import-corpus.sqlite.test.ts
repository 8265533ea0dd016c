import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CORPUS, CORPUS_TIMEOUT_MS, hasCorpus, type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

describe.skipIf(!hasCorpus)('430 real articles', () => {
  test(
    'at least 425 are imported with their links, and a second run imports none',
    { timeout: CORPUS_TIMEOUT_MS },
    async () => {
      const first = await stage.run({ folder: CORPUS });
      expect(first.total).toBe(430);
      expect(first.failures.slice(5)).toEqual([]);
      expect(first.counts.created).toBe(430 - first.failures.length);
      const linking = "select content from article_bodies where content like '%](/detail/%'";
      const links = (await stage.rows(linking)).map(
        ({ content }) => /\]\(\/detail\/(.{24})/.exec(String(content))?.[1],
      );
      expect(links.length).toBeGreaterThan(100);
      const known = new Set((await stage.rows('select id from articles')).map(({ id }) => id));
      expect(links.filter((id) => !known.has(id))).toEqual([]);
      const second = await stage.run({ folder: CORPUS });
      expect(second.failures).toEqual(first.failures);
      expect(second.counts).toMatchObject({ created: 0, updated: 0, unchanged: first.counts.created });
    },
  );
});
