import type { Database } from '../../db/database.ts';
import { createPauses } from '../../jobs/pauses.ts';
import { MIB } from '../../../contract/rules/units.ts';
import { foldDocument } from '../text/folded-document.ts';
import type { Block } from './blocks.ts';
import { mergeSegments } from './merge.ts';
import { SegmentBuilder } from './segment-builder.ts';
import * as segments from './segment-queries.ts';
import type { Segment } from './segment-queries.ts';

/** Sizes of the parts of an index; tests choose smaller ones. */
export interface Sizes {
  /** Number of documents in the tail from which it becomes a segment. */
  tail: number;
  /** Number of segments of about the same size that are merged. */
  fanIn: number;
}

export const SIZES: Sizes = { tail: 128, fanIn: 10 };

/** Larger segments are merged no more: rewriting one costs more than reading one more. */
const MAX_MERGED_DOCUMENTS = 100_000;
/** Share of dead documents from which a segment is rewritten. */
const MAX_DEAD_SHARE = 0.25;
const WRITTEN_BYTES = 2 * MIB;

/**
 * Turns the tail into segments and merges segments, in turn with other processes: does nothing while one of
 * them is at it. Interrupted work leaves segments that are not live; the next call deletes them.
 */
export async function tidy(db: Database, sizes: Sizes, isStopping = () => false): Promise<void> {
  await db.alone(async () => {
    await segments.deleteRetired(db, isStopping);
    while (!isStopping()) {
      const hasBuilt =
        (await segments.countTail(db.read)) >= sizes.tail && (await buildFromTail(db, largestBuilt(sizes)));
      const group = dueForMerge(await segments.listSegments(db.read), sizes);
      if (group.length > 0) await merge(db, group, isStopping);
      else if (!hasBuilt) return;
    }
  }, 'search');
}

/**
 * Calls `tidy` once many documents were added: they become segments so large that they need not be merged
 * as often.
 */
export async function tidyMany(db: Database, sizes: Sizes): Promise<void> {
  if ((await segments.countTail(db.read)) >= largestBuilt(sizes)) await tidy(db, sizes);
}

/** Maximum number of documents of one segment made from the tail. */
const largestBuilt = ({ tail, fanIn }: Sizes): number => tail * fanIn;

/** Moves the oldest documents of the tail to a segment; resolves to whether there were any. */
async function buildFromTail(db: Database, most: number): Promise<boolean> {
  const entries = await segments.listTailArticles(db.read, most);
  const built = new SegmentBuilder();
  const pause = createPauses();
  for (const article of entries) {
    built.add(article.document, foldDocument(article));
    if (pause.isDue()) await pause.take();
  }
  const [first, last] = [entries.at(0), entries.at(-1)];
  if (!first || !last) return false;
  const blocks = await built.blocks();
  return db.write(async (trx) => {
    const taken = await segments.takeFromTail(trx, entries);
    if (taken.size === 0) return false;
    const range = { base: first.document, last: last.document, documents: entries.length };
    const segment = await segments.insertSegment(trx, range);
    await segments.insertBlocks(trx, segment, blocks);
    await segments.publishSegment(trx, segment, entries.length);
    const dead = entries.map(({ document }) => document).filter((document) => !taken.has(document));
    await segments.insertDead(trx, segment, dead);
    return true;
  });
}

/** Returns the segments to merge next: several of a size, or one with many dead documents. */
export function dueForMerge(all: readonly Segment[], { tail, fanIn }: Sizes): readonly Segment[] {
  const levels = new Map<number, Segment[]>();
  for (const segment of all) {
    if (segment.documents > MAX_MERGED_DOCUMENTS) continue;
    const level = Math.floor(Math.log(Math.max(segment.documents / tail, 1)) / Math.log(fanIn));
    const same = [...(levels.get(level) ?? []), segment];
    levels.set(level, same);
    // Segments are sorted by their oldest document: neighbours share as few dates with others as possible.
    if (same.length === fanIn) return same;
  }
  const worn = all.find(({ documents, changes }) => changes > MAX_DEAD_SHARE * documents);
  return worn ? [worn] : [];
}

async function merge(db: Database, group: readonly Segment[], isStopping: () => boolean): Promise<void> {
  const sources = group.map(({ segment }) => segment);
  const dead = await segments.listDead(db.read, sources);
  const base = Math.min(...group.map((segment) => segment.base));
  const last = Math.max(...group.map((segment) => segment.last));
  const merged = await db.write((trx) => segments.insertSegment(trx, { base, last, documents: 0 }));
  let pending: Block[] = [];
  let bytes = 0;
  const store = async (): Promise<void> => {
    const blocks = pending;
    pending = [];
    bytes = 0;
    if (isStopping()) throw new Error('the server stops');
    await db.write((trx) => segments.insertBlocks(trx, merged, blocks));
  };
  const documents = await mergeSegments(
    group.map((source) => ({
      base: source.base,
      dead: dead.get(source.segment) ?? new Set(),
      blocks: segments.readBlocks(db.read, source.segment),
    })),
    base,
    async (block) => {
      pending.push(block);
      bytes += block.data.length;
      if (bytes > WRITTEN_BYTES) await store();
    },
  );
  await store();
  await db.write(async (trx) => {
    const live = new Set((await segments.listSegments(trx)).map(({ segment }) => segment));
    // Another process has emptied the index.
    if (!sources.every((segment) => live.has(segment))) return;
    const now = await segments.listDead(trx, sources);
    const died = sources.flatMap((segment) => {
      const before = dead.get(segment);
      return [...(now.get(segment) ?? [])].filter((document) => before?.has(document) !== true);
    });
    await segments.retireSegments(trx, sources);
    if (documents === 0) return;
    await segments.publishSegment(trx, merged, documents);
    await segments.insertDead(trx, merged, [...new Set(died)]);
  });
  await segments.deleteRetired(db, isStopping);
}
