import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { BlockReader } from './blocks.ts';
import { Postings } from './postings.ts';
import { ALL_DOCUMENTS } from './segment-builder.ts';
import { listDead, listSegments, readBlocks } from './segment-queries.ts';

const PAGE_ROWS = 10_000;

/**
 * Compares the entries with the documents of segments and tail; `snapshot` must see one state.
 * @returns the number of entries that neither lists, and of living documents without an entry
 */
export async function countUnlisted(snapshot: Queryable): Promise<{ missing: number; orphaned: number }> {
  const expected = await listDocuments(snapshot, 'search_entries');
  const listed = await listDocuments(snapshot, 'search_tail');
  const segments = await listSegments(snapshot);
  const dead = await listDead(
    snapshot,
    segments.map(({ segment }) => segment),
  );
  for (const { segment, base } of segments) {
    const { value: [data] = [] } = await readBlocks(snapshot, segment).next();
    const first = new BlockReader(data ?? new Uint8Array());
    if (!first.next() || first.token !== ALL_DOCUMENTS) continue;
    const postings = new Postings(first.bytes, first.from, first.to);
    while (postings.next()) {
      const document = base + postings.document;
      if (dead.get(segment)?.has(document) !== true) listed.push(document);
    }
  }
  listed.sort((a, b) => a - b);
  return { missing: countLacking(listed, expected), orphaned: countLacking(expected, listed) };
}

/** Documents of a table in order: in pages, because rows take far more memory than their numbers. */
async function listDocuments(db: Queryable, table: 'search_entries' | 'search_tail'): Promise<number[]> {
  const documents: number[] = [];
  for (;;) {
    const { rows } = await sql<{ document: number }>`select document from ${sql.table(table)}
      where document > ${documents.at(-1) ?? Number.MIN_SAFE_INTEGER} order by document limit ${sql.lit(PAGE_ROWS)}`.execute(
      db,
    );
    for (const { document } of rows) documents.push(document);
    if (rows.length < PAGE_ROWS) return documents;
  }
}

/** Number of different members of the sorted list `all` that the sorted list `some` lacks. */
function countLacking(some: readonly number[], all: readonly number[]): number {
  let [count, at] = [0, 0];
  let last: number | undefined;
  for (const document of all) {
    if (document === last) continue;
    last = document;
    while (at < some.length && (some[at] as number) < document) at++;
    if (some[at] !== document) count++;
  }
  return count;
}
