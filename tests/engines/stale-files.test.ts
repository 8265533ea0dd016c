import { afterAll, beforeAll, expect, test } from 'vitest';
import { putFile } from '../../src/lib/server/articles/sync/sync-queries.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeAll(async () => {
  stage = await openImportStage();
});
afterAll(() => stage?.close());

test('a new file marks all files that link to it, however many there are', async () => {
  const { db } = stage.app;
  const rowOf = (path: string, needs: readonly string[]) => ({
    owner_id: stage.author.id,
    path,
    kind: 'article' as const,
    target: path,
    digest: path,
    article_time: 0,
    revision_time: 0,
    needs: JSON.stringify(needs),
    is_stale: 0,
    bytes: new Uint8Array(),
  });
  const paths = Array.from({ length: 450 }, (_, number) => `文章/${number}.md`);
  await db.write(async (trx) => {
    for (const [number, path] of paths.entries())
      await putFile(trx, rowOf(path, [number % 2 === 0 ? '新的.md' : '别的.md']), null);
    await putFile(trx, rowOf('新的.md', []), null);
  });
  const stale = await db.read.selectFrom('synced_files').select('path').where('is_stale', '=', 1).execute();
  expect(stale.map(({ path }) => path).toSorted()).toEqual(
    paths.filter((_, number) => number % 2 === 0).toSorted(),
  );
});
