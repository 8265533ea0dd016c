import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { BlockReader } from './blocks.ts';
import { Postings } from './postings.ts';
import { ALL_DOCUMENTS } from './segment-builder.ts';
import { listDead, listSegments, readBlocks } from './segment-queries.ts';

/**
 * Compares the entries with the documents of segments and tail.
 * @returns the number of entries that neither lists, and of living documents without an entry
 */
export async function countUnlisted(db: Queryable): Promise<{ missing: number; orphaned: number }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const { rows } = await sql<{ document: number }>`select document from search_entries`.execute(snapshot);
      const { rows: tail } = await sql<{ document: number }>`select document from search_tail`.execute(
        snapshot,
      );
      const expected = new Set(rows.map(({ document }) => document));
      const listed = new Set(tail.map(({ document }) => document));
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
          if (dead.get(segment)?.has(document) !== true) listed.add(document);
        }
      }
      return { missing: expected.difference(listed).size, orphaned: listed.difference(expected).size };
    });
}
