import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/lib/server/db/database.ts';
import { countIndexFaults } from '../../src/lib/server/search/index-check.ts';
import { SIZES, tidy } from '../../src/lib/server/search/postgres/tidy.ts';
import { openDatabase } from './open.ts';
import { openSearchStage, randomFrom, SMALL_SEGMENTS } from './search-fixture.ts';
import { openSearchPair, type SearchPair } from './search-pair.ts';

const random = randomFrom(20_261_127);

let pair: SearchPair;

beforeEach(async () => {
  // Does nothing by itself.
  pair = await openSearchPair(await openSearchStage(openDatabase, SIZES), random);
});
afterEach(() => pair.close());

test('hits are those of SQLite while segments are built, merged and rewritten', async () => {
  let found = 0;
  for (let round = 0; round < 12; round += 1) {
    await pair.addSome(pair.pick([3, 15, 40]));
    for (let changes = pair.pick([0, 4, 12]); changes > 0; changes -= 1) await pair.changeOne();
    found += await pair.compare(8);
    await tidy(pair.db, SMALL_SEGMENTS);
    found += await pair.compare(8);
    expect(await countIndexFaults(pair.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
  }
  expect(found).toBeGreaterThan(100);
  expect(await pair.count('search_segments where documents >= 36')).toBeGreaterThan(0);
  expect(await pair.count('search_tail')).toBeLessThan(SMALL_SEGMENTS.tail);
});

test('articles that change while their segment is built or merged are found as they are now', async () => {
  for (const size of [14, 14, 14]) {
    await pair.addSome(size);
    await tidy(
      interrupting(pair.db, () => pair.changeOne()),
      SMALL_SEGMENTS,
    );
    await pair.compare(10);
    expect(await countIndexFaults(pair.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
  }
});

/** Passes `db` on, but runs `work` before each of its writes. */
function interrupting(db: Database, work: () => Promise<void>): Database {
  return {
    ...db,
    async write(change) {
      await work();
      return db.write(change);
    },
  };
}

test('work that was killed at any step loses nothing, and the next call completes it', async () => {
  const sizes = { ...SMALL_SEGMENTS, fanIn: 2 };
  await pair.addSome(14);
  await tidy(pair.db, sizes);
  let kills = 1;
  for (let isDone = false; !isDone;) {
    await pair.addSome(14);
    let left = kills;
    const killed = interrupting(pair.db, async () => {
      left -= 1;
      if (left < 0) throw new Error('killed');
    });
    isDone = await tidy(killed, sizes).then(
      () => true,
      () => false,
    );
    if (!isDone) kills += 1;
    await pair.compare(4);
    expect(await countIndexFaults(pair.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
  }
  expect(kills).toBeGreaterThan(4);
  expect(await pair.count('search_segments where is_live = 0')).toBe(0);
  expect(await pair.count('search_blocks where segment not in (select segment from search_segments)')).toBe(
    0,
  );
});

test('a merge gives way when another process empties the index', async () => {
  await pair.addSome(14);
  await tidy(pair.db, SMALL_SEGMENTS);
  await pair.addSome(14);
  let isEmpty = false;
  const emptied = interrupting(pair.db, async () => {
    if (isEmpty || (await pair.count('search_segments where is_live = 0')) === 0) return;
    isEmpty = true;
    await pair.db.write((trx) =>
      sql`truncate search_entries, search_tail, search_segments, search_blocks, search_dead, search_documents`.execute(
        trx,
      ),
    );
  });
  await tidy(emptied, { ...SMALL_SEGMENTS, fanIn: 2 });
  expect(isEmpty).toBe(true);
  expect(await pair.count('search_segments')).toBe(0);
  await tidy(pair.db, SMALL_SEGMENTS);
  expect(await pair.count('search_blocks')).toBe(0);
});
