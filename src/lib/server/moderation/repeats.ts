import { createHash } from 'node:crypto';
import { BOUNDS } from '../../contract/bounds.ts';
import type { Database, Trx } from '../db/database.ts';
import { canonicalise } from './canonical.ts';
import type { Written } from './outside-judge.ts';
import * as queries from './print-queries.ts';

const DAY_MS = 24 * 3_600_000;
/** Shorter texts are no repeats: 写得真好，谢谢分享。 */
const MIN_REPEAT_CHARACTERS = 12;
/** Number of other accounts with the same text that is no accident. */
const OTHER_WRITERS = 2;
/** How long the text of a withheld item counts as a repeat when its author writes it elsewhere. */
const WITHHELD_PRINT_MS = BOUNDS.trashDays * DAY_MS;

/**
 * The fingerprint of a text, the same for all its disguises; null where it is too short to repeat another.
 */
export function printOf(text: string): string | null {
  const canonical = canonicalise(text).text;
  if (canonical.length < MIN_REPEAT_CHARACTERS) return null;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}

/** Finds texts that other articles or comments had before, by their fingerprints. */
export function createRepeats({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Whether other items have the text of `print`: of other accounts, or of its author. */
    async isRepeat({ kind, id: itemId, author }: Written, print: string, isNew: boolean): Promise<boolean> {
      const writers = await queries.listWritersOf(db.read, { print, itemId, since: now() - DAY_MS });
      const others = writers.filter((writer) => writer !== author.id);
      // Authors may publish their own article again, and known accounts say the same in two comments.
      const isOwn = kind === 'comment' && isNew && others.length < writers.length;
      if (isOwn || others.length >= OTHER_WRITERS) return true;
      return queries.wasWithheld(db.read, { print, itemId, authorId: author.id });
    },

    /** Remembers inside `trx` that an item has a text. */
    remember: (trx: Trx, row: { item_id: string; print: string; author_id: string }): Promise<void> =>
      queries.putPrint(trx, { ...row, create_time: now() }),

    /** Forgets texts of more than a day ago, of withheld items 30 days. */
    purge: (): Promise<void> =>
      db.write((trx) => queries.deletePrints(trx, now() - DAY_MS, now() - WITHHELD_PRINT_MS)),
  };
}
