import { createHash } from 'node:crypto';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { Trx } from '../db/database.ts';
import { canonicalise } from './canonical.ts';
import * as queries from './print-queries.ts';
import { DAY_MS } from '../../shared/units.ts';
import type { AppParts } from '../services.ts';

/** Shorter texts do not count as repeats: 写得真好，谢谢分享。 */
const MIN_REPEAT_CHARACTERS = 12;
/** Age of texts that others may not repeat. */
export const REPEAT_PERIOD_MS = DAY_MS;
/** How long the text of a hidden item counts as a repeat when its author posts it again. */
const WITHHELD_PRINT_RETENTION_MS = BOUNDS.trashDays * DAY_MS;

/** Fingerprint of a text, equal for all its disguises; null if the text is too short to count as a repeat. */
export function printOf(text: string): string | null {
  const canonical = canonicalise(text).text;
  if (canonical.length < MIN_REPEAT_CHARACTERS) return null;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}

export function createRepeats({ db, now }: Pick<AppParts, 'db' | 'now'>) {
  return {
    remember: (trx: Trx, row: { item_id: string; print: string; author_id: string }): Promise<void> =>
      queries.putPrint(trx, { ...row, create_time: now() }),

    /** Deletes texts older than a day, those of withheld items after 30 days. */
    purge: (): Promise<void> =>
      db.write((trx) =>
        queries.deletePrints(trx, now() - REPEAT_PERIOD_MS, now() - WITHHELD_PRINT_RETENTION_MS),
      ),
  };
}
