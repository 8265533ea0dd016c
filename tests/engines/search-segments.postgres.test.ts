import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/lib/server/db/database.ts';
import { countIndexFaults } from '../../src/lib/server/search/index-check.ts';
import { SIZES, tidy } from '../../src/lib/server/search/postgres/tidy.ts';
import { openDatabase, openSqliteDatabase } from './open.ts';
import {
  openSearchStage,
  randomFrom,
  SMALL_SEGMENTS,
  type Sample,
  type SearchStage,
} from './search-fixture.ts';
import { writerFrom } from './search-texts.ts';

const LONG_MS = 120_000;

const random = randomFrom(20_261_127);
const { pick, sample, wordOf } = writerFrom(random);

let sqlite: SearchStage;
let postgres: SearchStage;
let samples: Sample[];
let ids: string[];

beforeEach(async () => {
  sqlite = await openSearchStage(openSqliteDatabase);
  // Does nothing by itself.
  postgres = await openSearchStage(openDatabase, SIZES);
  samples = [];
  ids = [];
});
afterEach(async () => {
  await sqlite.close();
  await postgres.close();
});

const count = async (from: string): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.raw(from)}`.execute(
    postgres.db.read,
  );
  return rows[0]?.total ?? 0;
};

async function onBoth(write: (stage: SearchStage) => Promise<unknown>): Promise<void> {
  await write(sqlite);
  await write(postgres);
}

/** Few dates, so that segments overlap and numbers are taken. */
const date = () => Date.UTC(2024, 0, 1) + Math.floor(random() * 50) * 1000;

async function addSome(total: number): Promise<void> {
  const added = Array.from({ length: total }, () => ({ ...sample(), createTime: date() }));
  await sqlite.addAll(added);
  ids.push(...(await postgres.addAll(added)));
  samples.push(...added);
}

async function changeOne(): Promise<void> {
  const id = pick(ids);
  if (random() < 0.4) {
    await onBoth((stage) => stage.hide(id));
    ids.splice(ids.indexOf(id), 1);
    return;
  }
  const changed = random() < 0.5 ? sample() : { ...sample(), createTime: date() };
  samples.push(changed);
  await onBoth((stage) => stage.change(id, changed));
}

/** Compares random pages of random queries; returns the number of queries with hits. */
async function compare(rounds: number): Promise<number> {
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const keywords = Array.from({ length: pick([1, 1, 2, 3]) }, () => wordOf(samples, 8)).join(' ');
    const query = {
      keywords,
      page: pick([1, 1, 2, 40]),
      pageSize: 10,
      order: pick([undefined, 'time'] as const),
    };
    const expected = await sqlite.index.search(query);
    expect(await postgres.index.search(query), JSON.stringify(query)).toEqual(expected);
    if (expected.total > 0) found += 1;
  }
  return found;
}

test(
  'hits are those of SQLite while segments are built, merged and rewritten',
  { timeout: LONG_MS },
  async () => {
    let found = 0;
    for (let round = 0; round < 12; round += 1) {
      await addSome(pick([3, 15, 40]));
      for (let changes = pick([0, 4, 12]); changes > 0; changes -= 1) await changeOne();
      found += await compare(8);
      await tidy(postgres.db, SMALL_SEGMENTS);
      found += await compare(8);
      expect(await countIndexFaults(postgres.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
    }
    expect(found).toBeGreaterThan(100);
    expect(await count('search_segments where documents >= 36')).toBeGreaterThan(0);
    expect(await count('search_tail')).toBeLessThan(SMALL_SEGMENTS.tail);
  },
);

test(
  'articles that change while their segment is built or merged are found as they are now',
  { timeout: LONG_MS },
  async () => {
    for (const size of [14, 14, 14]) {
      await addSome(size);
      await tidy(interrupting(postgres.db, changeOne), SMALL_SEGMENTS);
      await compare(10);
      expect(await countIndexFaults(postgres.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
    }
  },
);

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

test(
  'work that was killed at any step loses nothing, and the next call completes it',
  { timeout: LONG_MS },
  async () => {
    const sizes = { ...SMALL_SEGMENTS, fanIn: 2 };
    await addSome(14);
    await tidy(postgres.db, sizes);
    let kills = 1;
    for (let isDone = false; !isDone;) {
      await addSome(14);
      let left = kills;
      const killed = interrupting(postgres.db, async () => {
        left -= 1;
        if (left < 0) throw new Error('killed');
      });
      isDone = await tidy(killed, sizes).then(
        () => true,
        () => false,
      );
      if (!isDone) kills += 1;
      await compare(4);
      expect(await countIndexFaults(postgres.db)).toEqual({ missing: 0, orphaned: 0, isStale: false });
    }
    expect(kills).toBeGreaterThan(4);
    expect(await count('search_segments where is_live = 0')).toBe(0);
    expect(await count('search_blocks where segment not in (select segment from search_segments)')).toBe(0);
  },
);

test('a merge gives way when another process empties the index', { timeout: LONG_MS }, async () => {
  await addSome(14);
  await tidy(postgres.db, SMALL_SEGMENTS);
  await addSome(14);
  let isEmpty = false;
  const emptied = interrupting(postgres.db, async () => {
    if (isEmpty || (await count('search_segments where is_live = 0')) === 0) return;
    isEmpty = true;
    await postgres.db.write((trx) =>
      sql`truncate search_entries, search_tail, search_segments, search_blocks, search_dead, search_documents`.execute(
        trx,
      ),
    );
  });
  await tidy(emptied, { ...SMALL_SEGMENTS, fanIn: 2 });
  expect(isEmpty).toBe(true);
  expect(await count('search_segments')).toBe(0);
  await tidy(postgres.db, SMALL_SEGMENTS);
  expect(await count('search_blocks')).toBe(0);
});
