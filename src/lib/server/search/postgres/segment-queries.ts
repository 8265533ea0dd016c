import { sql } from 'kysely';
import type { Database, Queryable, Trx } from '../../db/database.ts';
import { perform } from '../../db/perform.ts';
import { MIB } from '../../../contract/rules/units.ts';
import { DOCUMENT_COLUMNS, FOUND } from '../../db/search-documents.ts';
import type { SearchDocument } from '../../db/search-documents.ts';
import { keyOf, type Block } from './blocks.ts';

/**
 * Part of the index that never changes: postings of documents from `base` to `last`, of which some may have
 * been replaced or removed since (`search_dead`).
 */
export interface Segment {
  segment: number;
  base: number;
  last: number;
  documents: number;
  /** Grows with each document that dies. */
  changes: number;
}

/** A document that is not in a segment yet; its version is new whenever it is written. */
export interface TailEntry {
  document: number;
  version: number;
}

/** Size of the texts that become one segment. */
const TAIL_BYTES = 4 * MIB;
const STORED_BYTES = 2 * MIB;
const READ_BLOCKS = 256;
const READ_BYTES = MIB / 4;
const DELETED_BLOCKS = 2_000;

export async function listSegments(db: Queryable): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select segment, base, last, documents, changes from search_segments where is_live = 1 order by base, segment`.execute(
    db,
  );
  return rows;
}

export async function listDead(
  db: Queryable,
  segments: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<{ segment: number; document: number }>`
    select segment, document from search_dead where segment = any(${segments}::integer[])`.execute(db);
  const dead = new Map(segments.map((segment) => [segment, new Set<number>()]));
  for (const { segment, document } of rows) dead.get(segment)?.add(document);
  return dead;
}

export async function countTail(db: Queryable): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from search_tail`.execute(db);
  return rows[0]?.total ?? 0;
}

const ARTICLES = sql`${sql.raw(DOCUMENT_COLUMNS)} from search_documents d
  join articles a on a.id = d.article_id and ${FOUND}
  join article_bodies b on b.article_id = a.id join users u on u.id = a.author_id`;

export async function listArticles(db: Queryable, documents: readonly number[]) {
  const { rows } = await sql<SearchDocument & { document: number }>`
    select d.document, ${ARTICLES} where d.document = any(${documents}::bigint[])`.execute(db);
  return rows;
}

/** Returns the articles of the oldest entries of the tail: at most `limit`, of about `TAIL_BYTES` of text. */
export async function listTailArticles(db: Queryable, limit: number) {
  const { rows } = await sql<TailEntry & SearchDocument>`
    select * from (
      select d.document, t.version,
        sum(octet_length(b.text)) over (order by t.version) - octet_length(b.text) as before, ${ARTICLES}
      join (select document, version from search_tail order by version limit ${limit}) as t on t.document = d.document
    ) as sized where before < ${TAIL_BYTES} order by document`.execute(db);
  return rows;
}

/** Reads the blocks of a segment in ascending order, some at a time. */
export async function* readBlocks(db: Queryable, segment: number): AsyncGenerator<Buffer[], undefined> {
  for (let last: Buffer | undefined; ;) {
    const next = last ? sql`and first > ${last}` : sql``;
    const { rows }: { rows: { first: Buffer; data: Buffer }[] } = await sql<{ first: Buffer; data: Buffer }>`
      select first, data from (
        select first, data, sum(octet_length(data)) over (order by first) - octet_length(data) as before from (
          select first, data from search_blocks where segment = ${segment} ${next} order by first limit ${READ_BLOCKS}
        ) as blocks
      ) as sized where before < ${READ_BYTES} order by first`.execute(db);
    last = rows.at(-1)?.first;
    if (!last) return;
    yield rows.map(({ data }) => data);
  }
}

/** Inserts a segment that searches do not use before it is live. */
export async function insertSegment(
  trx: Trx,
  { base, last, documents }: Pick<Segment, 'base' | 'last' | 'documents'>,
): Promise<number> {
  const { rows } = await sql<{ segment: number }>`
    insert into search_segments (base, last, documents, changes, is_live)
    values (${base}, ${last}, ${documents}, 0, 0) returning segment`.execute(trx);
  return rows[0]?.segment ?? 0;
}

/** Adds blocks to a segment, unless the index was emptied meanwhile. */
export async function insertBlocks(trx: Trx, segment: number, blocks: readonly Block[]): Promise<void> {
  let batch: Block[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    const firsts = batch.map(({ first }) => keyOf(first));
    const data = batch.map((block) => block.data);
    await perform(
      trx,
      sql`insert into search_blocks (segment, first, data)
        select segment, b.* from search_segments, unnest(${firsts}::bytea[], ${data}::bytea[]) as b where segment = ${segment}`,
    );
    batch = [];
    bytes = 0;
  };
  for (const block of blocks) {
    batch.push(block);
    bytes += block.data.length;
    if (bytes > STORED_BYTES) await send();
  }
  if (batch.length > 0) await send();
}

export async function publishSegment(trx: Trx, segment: number, documents: number): Promise<void> {
  await perform(
    trx,
    sql`update search_segments set is_live = 1, documents = ${documents} where segment = ${segment}`,
  );
}

export async function retireSegments(trx: Trx, segments: readonly number[]): Promise<void> {
  await perform(trx, sql`update search_segments set is_live = 0 where segment = any(${segments}::integer[])`);
  await perform(trx, sql`delete from search_dead where segment = any(${segments}::integer[])`);
}

export async function insertDead(trx: Trx, segment: number, documents: readonly number[]): Promise<void> {
  if (documents.length === 0) return;
  await perform(
    trx,
    sql`insert into search_dead (segment, document) select ${segment}::integer, unnest(${documents}::bigint[])`,
  );
  await perform(
    trx,
    sql`update search_segments set changes = changes + ${documents.length} where segment = ${segment}`,
  );
}

/** Removes entries from the tail unless they have changed; returns the documents of those removed. */
export async function takeFromTail(trx: Trx, entries: readonly TailEntry[]): Promise<Set<number>> {
  const documents = entries.map(({ document }) => document);
  const versions = entries.map(({ version }) => version);
  const { rows } = await sql<{ document: number }>`
    delete from search_tail t using unnest(${documents}::bigint[], ${versions}::bigint[]) as e (document, version)
    where t.document = e.document and t.version = e.version returning t.document`.execute(trx);
  return new Set(rows.map(({ document }) => document));
}

/** Deletes segments that are not live: of merges that were interrupted, or that have replaced them. */
export async function deleteRetired(db: Database, isStopping: () => boolean): Promise<void> {
  const { rows } = await sql<{
    segment: number;
  }>`select segment from search_segments where is_live = 0`.execute(db.read);
  for (const { segment } of rows)
    for (let isDone = false; !isDone && !isStopping();)
      isDone = await db.write(async (trx) => {
        const { numAffectedRows = 0n } = await sql`
          delete from search_blocks where segment = ${segment} and first in (
            select first from search_blocks where segment = ${segment} order by first limit ${DELETED_BLOCKS})`.execute(
          trx,
        );
        if (Number(numAffectedRows) === DELETED_BLOCKS) return false;
        await sql`delete from search_segments where segment = ${segment}`.execute(trx);
        return true;
      });
}
