import { unitsOf } from '../text/tokens.ts';
import type { ByteWriter } from './bytes.ts';
import { writePosting } from './postings.ts';

/**
 * Derives the postings of units from the postings of the tokens that begin with them. Tokens are sorted, so
 * at most a few units are open, and units are opened in sorted order.
 * @param start called with each unit when it is opened; returns what to call once its postings are in `out`
 */
export function createUnits(
  documents: readonly number[],
  out: ByteWriter,
  start: (unit: string) => () => void,
) {
  const open: { unit: string; masks: Uint8Array; end: () => void }[] = [];
  const spare: Uint8Array[] = [];

  function closeTo(depth: number): void {
    for (const { masks, end } of open.splice(depth)) {
      let before = documents[0] ?? 0;
      for (let ordinal = 0; ordinal < masks.length; ordinal += 1) {
        const mask = masks[ordinal] ?? 0;
        if (mask === 0) continue;
        const document = documents[ordinal] ?? 0;
        writePosting(out, document - before, mask, 0);
        before = document;
      }
      end();
      spare.push(masks.fill(0));
    }
  }

  return {
    open(token: string): void {
      const units = unitsOf(token);
      let shared = 0;
      while (shared < units.length && open[shared]?.unit === units[shared]) shared += 1;
      closeTo(shared);
      for (const unit of units.slice(shared))
        open.push({ unit, masks: spare.pop() ?? new Uint8Array(documents.length), end: start(unit) });
    },
    /** Notes that the document at `ordinal` holds the current token in the fields of `mask`. */
    note(ordinal: number, mask: number): void {
      for (const { masks } of open) masks[ordinal] = (masks[ordinal] ?? 0) | mask;
    },
    close: (): void => closeTo(0),
  };
}
