import { commonEnds } from '../../../lib/shared/common-ends.ts';

/** Change of a list of HTML pieces: replaces `removed` pieces from `at` on with `added`. */
export interface PieceChange {
  at: number;
  removed: number;
  added: readonly string[];
}

/** Characters of HTML that a page can parse and insert within a few milliseconds. */
const SLICE_CHARACTERS = 30_000;
/** Characters of a long text that fill more than the highest screen. */
const FIRST_PART_CHARACTERS = 6_000;

/**
 * Returns the changes from `before` to `after`, in slices small enough to keep the page responsive between
 * them.
 */
export function changeOf(before: readonly string[], after: readonly string[]): PieceChange[] {
  const { head, tail } = commonEnds(before, after);
  const changes: PieceChange[] = [];
  let removed = before.length - head - tail;
  let added: string[] = [];
  let length = 0;
  const end = after.length - tail;
  for (let at = head; at < end; at++) {
    const piece = after[at] ?? '';
    added.push(piece);
    length += piece.length;
    if (length < SLICE_CHARACTERS && at < end - 1) continue;
    changes.push({ at: at + 1 - added.length, removed, added });
    [removed, added, length] = [0, [], 0];
  }
  if (removed > 0) changes.push({ at: head, removed, added });
  return changes;
}

/**
 * Returns the start of a long text, in whole paragraphs, to be shown before the rest is ready; null for a
 * short text.
 */
export function firstOf(source: string): string | null {
  if (source.length < FIRST_PART_CHARACTERS * 2) return null;
  const end = source.indexOf('\n\n', FIRST_PART_CHARACTERS);
  return end < 0 || end > FIRST_PART_CHARACTERS * 2 ? null : source.slice(0, end);
}
