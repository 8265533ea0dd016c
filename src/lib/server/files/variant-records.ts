import { LRUCache } from 'lru-cache';
import type { Trx } from '../db/database.ts';
import * as queries from './variant-queries.ts';
import { originalOf, type ListedUpload } from './uploads.ts';
import { DAY_MS } from '../../shared/units.ts';
import type { AppParts } from '../services.ts';

export type VariantRecords = ReturnType<typeof createVariantRecords>;

/** A copy without a request for this long is removed; the next request makes it again. */
const UNUSED_DAYS = 90;
/** A copy in constant use costs one write per this many days. */
const RECORD_INTERVAL_DAYS = 7;
/** Maximum copies noted between two flushes; beyond it, the least recently requested are not noted. */
const MAX_RECORDED_FILES = 50_000;
const BATCH_SIZE = 200;

/**
 * Records smaller copies of pictures: their bytes, counted on the picture's account, and the day of the last
 * request. Requests are noted in memory and written by `flush`.
 */
export function createVariantRecords({ db, quotas, now }: Pick<AppParts, 'db' | 'now' | 'quotas'>) {
  const asked = new LRUCache<string, true>({ max: MAX_RECORDED_FILES });
  const today = () => Math.floor(now() / DAY_MS);

  /** Counts copies even if the account is full; only its next upload is refused. */
  async function count(trx: Trx, bytes: queries.BytesByOwner, sign: 1 | -1): Promise<void> {
    for (const [id, amount] of bytes) await quotas.store(trx, { id, isUnlimited: true }, sign * amount);
  }
  const put = (trx: Trx, files: readonly ListedUpload[]) =>
    queries.putVariants(
      trx,
      files.map(({ name, bytes }) => ({
        file: name,
        picture: originalOf(name),
        bytes,
        asked_day: today(),
      })),
    );

  async function flush(): Promise<void> {
    const files = [...asked.keys()];
    asked.clear();
    for (const part of inBatches(files)) {
      const recorded = await queries.selectVariants(db.read, part);
      const due = part.filter(
        (file) => (recorded.get(file)?.asked_day ?? Infinity) <= today() - RECORD_INTERVAL_DAYS,
      );
      if (due.length > 0) await db.write((trx) => queries.markAsked(trx, due, today()));
    }
  }

  return {
    /** Records a new copy; returns false when its picture is gone. */
    add: (name: string, bytes: number): Promise<boolean> =>
      db.write(async (trx) => {
        const added = await put(trx, [{ name, bytes }]);
        await count(trx, added, 1);
        return added.size > 0;
      }),
    async addAll(listed: readonly ListedUpload[]): Promise<void> {
      for (const part of inBatches(listed))
        await db.write(async (trx) => count(trx, await put(trx, part), 1));
    },
    async unrecorded(listed: readonly ListedUpload[]): Promise<ListedUpload[]> {
      const recorded = await queries.selectVariants(
        db.read,
        listed.map(({ name }) => name),
      );
      return listed.filter(({ name }) => !recorded.has(name));
    },
    async forget(files: readonly string[]): Promise<void> {
      for (const part of inBatches(files))
        await db.write(async (trx) => count(trx, await queries.deleteVariants(trx, part), -1));
    },
    async *list(): AsyncGenerator<string[]> {
      for (let after = ''; ;) {
        const files = await queries.listVariantsAfter(db.read, after, BATCH_SIZE);
        yield files;
        const last = files.at(-1);
        if (last === undefined) return;
        after = last;
      }
    },
    noteAsked: (file: string): void => void asked.set(file, true),
    flush,
    async listUnused(): Promise<string[]> {
      await flush();
      return queries.listVariantsAskedBefore(db.read, today() - UNUSED_DAYS, BATCH_SIZE);
    },
  };
}

function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
