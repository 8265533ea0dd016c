import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSearchStage, type SearchStage } from './search-fixture.ts';

/**
 * No search may split the tokens of a row, however common the planner considers a token; here splitting
 * throws.
 */
let stage: SearchStage;
beforeAll(async () => {
  stage = await openSearchStage();
  await stage.addAll(
    Array.from({ length: 400 }, (_, index) => ({
      title: `线程池${index}`,
      tags: ['并发'],
      text: '线程池的参数',
    })),
  );
  await stage.db.write(async (trx) => {
    await sql`alter index search_entries_tokens alter column 1 set statistics 100`.execute(trx);
    await sql`analyze search_entries`.execute(trx);
    await sql`create or replace function search_tokens (tokens text) returns text[] language plpgsql immutable strict
      as $$ begin raise 'a row was split'; end $$`.execute(trx);
  });
});
afterAll(() => stage.close());

test.each([
  ['线程', 1, 400],
  ['线程池', 1, 400],
  ['线程池', 40, 400],
  ['线程池 并发', 1, 400],
  ['程池的参数线', 1, 100],
])('%j is answered by the index of tokens alone', async (keywords, page, total) => {
  const found = await stage.index.search({ keywords, page, pageSize: 10 });
  expect(found).toMatchObject({ page, total });
  expect(found.hits).toHaveLength(10);
});
