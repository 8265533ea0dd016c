import { sql } from 'kysely';
import { expect } from 'vitest';
import { openSqliteDatabase } from './open.ts';
import { openSearchStage, type Sample, type SearchStage } from './search-fixture.ts';
import { writerFrom } from './search-texts.ts';

export type SearchPair = Awaited<ReturnType<typeof openSearchPair>>;

/** Opens a search on SQLite with the random articles of `postgres`, to compare their answers. */
export async function openSearchPair(postgres: SearchStage, random: () => number) {
  const { pick, sample, wordOf } = writerFrom(random);
  const sqlite = await openSearchStage(openSqliteDatabase);
  const samples: Sample[] = [];
  const ids: string[] = [];
  /** Few dates, so that segments overlap and numbers are taken. */
  const date = () => Date.UTC(2024, 0, 1) + Math.floor(random() * 50) * 1000;
  const onBoth = async (write: (stage: SearchStage) => Promise<void>): Promise<void> => {
    await write(sqlite);
    await write(postgres);
  };

  return {
    db: postgres.db,
    pick,

    /** Counts rows on PostgreSQL. */
    async count(from: string): Promise<number> {
      const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.raw(from)}`.execute(
        postgres.db.read,
      );
      return rows[0]?.total ?? 0;
    },

    async addSome(total: number): Promise<void> {
      const added = Array.from({ length: total }, () => ({ ...sample(), createTime: date() }));
      await sqlite.addAll(added);
      ids.push(...(await postgres.addAll(added)));
      samples.push(...added);
    },

    /** Changes or hides an article. */
    async changeOne(): Promise<void> {
      const id = pick(ids);
      if (random() < 0.4) {
        ids.splice(ids.indexOf(id), 1);
        return onBoth((stage) => stage.hide(id));
      }
      const changed = random() < 0.5 ? sample() : { ...sample(), createTime: date() };
      samples.push(changed);
      await onBoth((stage) => stage.change(id, changed));
    },

    /** Compares random pages of random queries; returns the number of queries with hits. */
    async compare(rounds: number, pageSize = 10): Promise<number> {
      let found = 0;
      for (let round = 0; round < rounds; round++) {
        const keywords = Array.from({ length: pick([1, 1, 2, 3]) }, () => wordOf(samples, 8)).join(' ');
        const order = pick([undefined, 'time'] as const);
        const query = { keywords, page: pick([1, 1, 2, 40]), pageSize, order };
        const expected = await sqlite.index.search(query);
        expect(await postgres.index.search(query), JSON.stringify(query)).toEqual(expected);
        if (expected.total > 0) found++;
      }
      return found;
    },

    async close(): Promise<void> {
      await sqlite.close();
      await postgres.close();
    },
  };
}
