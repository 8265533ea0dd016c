import { createPauses } from '../../jobs/pauses.ts';
import { BlockReader, BlockWriter, type Block, type Entry } from './blocks.ts';
import { ByteWriter } from './bytes.ts';
import { Postings, writePosting } from './postings.ts';
import { ALL_DOCUMENTS } from './segment-builder.ts';

/** Segment to merge, with its blocks in ascending order; `dead` documents are left out. */
interface MergeSource {
  base: number;
  dead: ReadonlySet<number>;
  blocks: AsyncIterator<readonly Uint8Array[], undefined>;
}

/**
 * Merges segments into one with the base `base`. No document is alive in two of them.
 * @param store called with blocks in ascending order
 * @returns the number of documents
 */
export async function mergeSegments(
  sources: readonly MergeSource[],
  base: number,
  store: (block: Block) => Promise<void> | void,
): Promise<number> {
  const ready: Block[] = [];
  const writer = new BlockWriter((block) => ready.push(block));
  const out = new ByteWriter();
  const pause = createPauses();
  let documents = 0;
  let open = sources.map((source) => new SourceReader(source));
  for (;;) {
    for (const source of open) if (!source.entry) await source.load();
    open = open.filter(({ entry }) => entry !== null);
    if (open.length === 0) break;
    let token = LAST_TOKEN;
    for (const { entry } of open) if (entry && entry.token < token) token = entry.token;
    const same = open.filter(({ entry }) => entry?.token === token);
    const count = mergePostings(out, base, same);
    if (token === ALL_DOCUMENTS) documents = count;
    if (count > 0) writer.add(out.bytes, { token, from: 0, to: out.length });
    out.length = 0;
    for (const source of same) source.next();
    if (ready.length === 0) continue;
    for (const block of ready.splice(0)) await store(block);
    if (pause.isDue()) await pause.take();
  }
  writer.close();
  for (const block of ready) await store(block);
  return documents;
}

/** Walks the entries of a source. Whenever `entry` is null, `load` must be called. */
class SourceReader {
  readonly source: MergeSource;
  #blocks: Uint8Array[] = [];
  entry: BlockReader | null = null;

  constructor(source: MergeSource) {
    this.source = source;
  }

  next(): void {
    if (this.entry?.next()) return;
    const data = this.#blocks.shift();
    this.entry = data ? new BlockReader(data) : null;
    this.entry?.next();
  }

  /** Leaves `entry` null at the end of the source. */
  async load(): Promise<void> {
    const { value } = await this.source.blocks.next();
    this.#blocks = [...(value ?? [])];
    this.next();
  }
}

/** Larger than every token, because well-formed text has no U+FFFF. */
const LAST_TOKEN = '\uffff\uffff';

/** Writes the living postings in the order of their documents; returns their number. */
function mergePostings(out: ByteWriter, base: number, readers: readonly SourceReader[]): number {
  const cursors: LiveCursor[] = [];
  for (const { source, entry } of readers) {
    const cursor = entry && new LiveCursor(source, entry, base);
    if (cursor?.next()) cursors.push(cursor);
  }
  let before = 0;
  let count = 0;
  while (cursors.length > 0) {
    let least = cursors[0] as LiveCursor;
    let second = Infinity;
    for (const cursor of cursors) {
      if (cursor === least) continue;
      if (cursor.document < least.document) {
        second = Math.min(second, least.document);
        least = cursor;
      } else second = Math.min(second, cursor.document);
    }
    let hasMore = true;
    for (; hasMore && least.document <= second; hasMore = least.next()) {
      least.write(out, before);
      before = least.document;
      count += 1;
    }
    if (!hasMore) cursors.splice(cursors.indexOf(least), 1);
  }
  return count;
}

/** Walks the living postings of an entry; `document` counts from the base of the merged segment. */
class LiveCursor {
  readonly #postings: Postings;
  readonly #shift: number;
  readonly #base: number;
  readonly #dead: ReadonlySet<number>;
  document = 0;

  constructor({ base, dead }: MergeSource, { bytes, from, to }: Entry, mergedBase: number) {
    this.#postings = new Postings(bytes, from, to);
    this.#shift = base - mergedBase;
    this.#base = mergedBase;
    this.#dead = dead;
  }

  next(): boolean {
    while (this.#postings.next()) {
      this.document = this.#postings.document + this.#shift;
      if (this.#dead.size === 0 || !this.#dead.has(this.document + this.#base)) return true;
    }
    return false;
  }

  write(out: ByteWriter, before: number): void {
    const { bytes, start, end, mask } = this.#postings;
    writePosting(out, this.document - before, mask, end - start);
    out.copy(bytes, start, end);
  }
}
