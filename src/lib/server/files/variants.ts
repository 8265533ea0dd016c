import { LRUCache } from 'lru-cache';
import { isRefusal } from '../../contract/rules/errors.ts';
import { variantsOf, type PictureVariant } from '../../contract/rules/picture-variants.ts';
import { createQueue } from '../jobs/queue.ts';
import { outsideRequests } from '../storage/storage.ts';
import type { Images } from './image.ts';
import { variantFile, originalOf, type ListedUpload } from './uploads.ts';
import type { AppParts } from '../services.ts';
import type { Trx } from '../db/database.ts';
import * as queries from './variant-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';

/** One at a time. Readers and uploading accounts take turns; queued work holds no bytes. */
const QUEUE_LIMITS = { running: 1, waiting: 200, waitingEach: 100 };
/** Milliseconds that a reader waits for a copy before getting the original. */
const WAIT_TIMEOUT_MS = 2_000;
/** Copies that would be no smaller, or would lose their animation; forgotten on restart. */
const MAX_USELESS_FILES = 10_000;

/**
 * Makes smaller copies of pictures: all after an upload, missing ones on request. A copy's name derives from
 * the picture's; its bytes count on the picture's account.
 */
export function createVariants(
  options: Pick<AppParts, 'log' | 'uploads' | 'room'> & {
    images: Pick<Images, 'toVariant'>;
    records: Pick<VariantRecords, 'add'>;
  },
) {
  const { uploads, images, records, room, log } = options;
  const queue = createQueue(QUEUE_LIMITS);
  const making = new Map<string, Promise<Outcome>>();
  const useless = new LRUCache<string, true>({ max: MAX_USELESS_FILES });
  let isClosed = false;

  async function makeNow(name: string, variant: PictureVariant): Promise<Outcome> {
    if (isClosed || !(await room.has(1))) return 'later';
    const file = variantFile(name, variant);
    const picture = await uploads.open(name);
    if (!picture) return 'none';
    const bytes = await images.toVariant(await bytesOf(picture.body), variant);
    if (!bytes) {
      useless.set(file, true);
      return 'none';
    }
    await uploads.put(file, bytes);
    room.add(bytes.length);
    if (await records.add(file, bytes.length)) return 'made';
    await uploads.remove(file);
    return 'none';
  }

  function make(name: string, variant: PictureVariant, owner: string): Promise<Outcome> {
    const file = variantFile(name, variant);
    const known = making.get(file);
    if (known) return known;
    // The work outlives the request that started it.
    const work = outsideRequests(() => queue.run(() => makeNow(name, variant), owner))
      .catch((error: unknown): Outcome => {
        // The queue or the disk is full: the next request may succeed.
        if (!isRefusal(error)) log.warn({ err: error, file }, 'creating a smaller copy of a picture failed');
        return 'later';
      })
      .finally(() => making.delete(file));
    making.set(file, work);
    return work;
  }

  return {
    makeAll(name: string, accountId: string): void {
      for (const variant of variantsOf(name)) void make(name, variant, accountId);
    },
    /** Ensures that a copy exists. `none`: no useful copy is possible; `later`: it is not ready yet. */
    async ensure(name: string, variant: PictureVariant): Promise<Outcome> {
      if (useless.has(variantFile(name, variant))) return 'none';
      const { promise: isLate, resolve } = Promise.withResolvers<Outcome>();
      const timer = setTimeout(() => resolve('later'), WAIT_TIMEOUT_MS);
      try {
        return await Promise.race([make(name, variant, 'readers'), isLate]);
      } finally {
        clearTimeout(timer);
      }
    },
    async remove(name: string): Promise<void> {
      for (const variant of variantsOf(name)) await uploads.remove(variantFile(name, variant));
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(making.values());
    },
  };
}

type Outcome = 'made' | 'none' | 'later';

const bytesOf = async (body: ReadableStream<Uint8Array>): Promise<Buffer> =>
  Buffer.from(await new Response(body).arrayBuffer());

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
