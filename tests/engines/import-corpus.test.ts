import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CORPUS, countRows, hasCorpus, type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

describe.skipIf(!hasCorpus)('430 real articles', () => {
  test(
    'at least 425 are imported with their links, and a second run imports none',
    { timeout: 240_000 },
    async () => {
      const first = await stage.run({ folder: CORPUS });
      expect(first.total).toBe(430);
      expect(first.failures.slice(5)).toEqual([]);
      expect(first.counts.created).toBe(430 - first.failures.length);
      const strayLinks = `select count(*) from article_bodies
      where content like '%](/detail/%' and substr(content, instr(content, '](/detail/') + 10, 24) not in (select id from articles)`;
      expect(countRows(stage.dataDir, strayLinks)).toBe(0);
      expect(
        countRows(stage.dataDir, "select count(*) from article_bodies where content like '%](/detail/%'"),
      ).toBeGreaterThan(100);
      const second = await stage.run({ folder: CORPUS });
      expect(second.failures).toEqual(first.failures);
      expect(second.counts).toMatchObject({ created: 0, updated: 0, unchanged: first.counts.created });
    },
  );
});
