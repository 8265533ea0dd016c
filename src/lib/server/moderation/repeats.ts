import { createHash } from 'node:crypto';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { Database, Trx } from '../db/database.ts';
import { canonicalise } from './canonical.ts';
import type { Written } from './outside-judge.ts';
import * as queries from './print-queries.ts';
import { DAY_MS } from '../../shared/units.ts';

/** Shorter texts do not count as repeats: 写得真好，谢谢分享。 */
const MIN_REPEAT_CHARACTERS = 12;
const MIN_OTHER_AUTHORS = 2;
/** How long the text of a hidden item counts as a repeat when its author posts it again. */
const WITHHELD_PRINT_RETENTION_MS = BOUNDS.trashDays * DAY_MS;

/** Fingerprint of a text, equal for all its disguises; null if the text is too short to count as a repeat. */
export function printOf(text: string): string | null {
  const canonical = canonicalise(text).text;
  if (canonical.length < MIN_REPEAT_CHARACTERS) return null;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}

export function createRepeats({ db, now }: { db: Database; now: () => number }) {
  return {
    async isRepeat({ kind, id: itemId, author }: Written, print: string, isNew: boolean): Promise<boolean> {
      const writers = await queries.listWritersOf(db.read, { print, itemId, since: now() - DAY_MS });
      const others = writers.filter((writer) => writer !== author.id);
      // Authors may publish their own article again, and established accounts may repeat a comment.
      const isOwn = kind === 'comment' && isNew && others.length < writers.length;
      if (isOwn || others.length >= MIN_OTHER_AUTHORS) return true;
      return queries.wasWithheld(db.read, { print, itemId, authorId: author.id });
    },

    remember: (trx: Trx, row: { item_id: string; print: string; author_id: string }): Promise<void> =>
      queries.putPrint(trx, { ...row, create_time: now() }),

    /** Deletes texts older than a day, those of withheld items after 30 days. */
    purge: (): Promise<void> =>
      db.write((trx) => queries.deletePrints(trx, now() - DAY_MS, now() - WITHHELD_PRINT_RETENTION_MS)),
  };
}
