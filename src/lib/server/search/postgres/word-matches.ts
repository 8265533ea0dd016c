import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { createPauses } from '../../jobs/pauses.ts';
import { MIB } from '../../../contract/rules/units.ts';
import { keyOf } from './blocks.ts';
import { keysOf, matchesOf, postingsOf, type Matches } from './match.ts';
import type { Segment } from './segment-queries.ts';

const MAX_CACHE_BYTES = 16 * MIB;
const ENTRY_OVERHEAD_BYTES = 200;

/** Finds the matches of words in segments. Segments never change, so matches are cached across searches. */
export function createWordMatches() {
  const cache = new LRUCache<string, Matches>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ documents, masks }) => ENTRY_OVERHEAD_BYTES + documents.byteLength + masks.byteLength,
  });

  /** Returns for each of `segments` the matches of each of `words`, which may be labels. */
  return async function matchesIn(
    db: Queryable,
    segments: readonly Segment[],
    words: readonly string[],
  ): Promise<Matches[][]> {
    const cached = segments.map(({ segment }) => words.map((word) => cache.get(nameOf(segment, word))));
    const missing = words.filter((_, index) => cached.some((matches) => matches[index] === undefined));
    const incomplete = segments.filter((_, index) => cached[index]?.includes(undefined));
    const keys = missing.map(keysOf);
    const blocks =
      missing.length > 0 ? await readBlocks(db, incomplete, keys.flat()) : new Map<string, Buffer[]>();
    const pause = createPauses();
    const found: Matches[][] = [];
    for (const [at, { segment }] of segments.entries()) {
      const matches: Matches[] = [];
      for (const [index, word] of words.entries()) {
        let known = cached[at]?.[index];
        if (!known) {
          const own = keys[missing.indexOf(word)] ?? [];
          const first = keys.slice(0, missing.indexOf(word)).flat().length;
          const lists = own.map((key, number) =>
            postingsOf(key, blocks.get(`${segment} ${first + number}`) ?? []),
          );
          known = matchesOf(own, lists);
          cache.set(nameOf(segment, word), known);
          if (pause.isDue()) await pause.take();
        }
        matches.push(known);
      }
      found.push(matches);
    }
    return found;
  };
}

const nameOf = (segment: number, word: string): string => `${segment} ${word}`;

/** Reads the blocks that may hold each key, by segment and position of the key. */
async function readBlocks(
  db: Queryable,
  segments: readonly Segment[],
  keys: readonly { token: string; isPrefix: boolean }[],
): Promise<Map<string, Buffer[]>> {
  const numbers = segments.map(({ segment }) => segment);
  const lows = keys.map(({ token }) => keyOf(token));
  const highs = keys.map(({ token, isPrefix }) => keyOf(isPrefix ? `${token}\uffff` : token));
  const { rows } = await sql<{ segment: number; key: number; data: Buffer }>`
    select s.segment, k.key, b.data from unnest(${numbers}::integer[]) as s (segment)
    cross join unnest(${lows}::bytea[], ${highs}::bytea[]) with ordinality as k (low, high, key)
    cross join lateral (
      select data from search_blocks as b where b.segment = s.segment and b.first <= k.high and b.first >= coalesce(
        (select max(first) from search_blocks as f where f.segment = s.segment and f.first <= k.low), '')
      order by first
    ) as b`.execute(db);
  const blocks = new Map<string, Buffer[]>();
  for (const { segment, key, data } of rows) {
    const name = `${segment} ${key - 1}`;
    const list = blocks.get(name) ?? [];
    list.push(data);
    blocks.set(name, list);
  }
  return blocks;
}
