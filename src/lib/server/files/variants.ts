import { LRUCache } from 'lru-cache';
import { isRefusal } from '../../contract/rules/errors.ts';
import { variantsOf, type PictureVariant } from '../../contract/rules/picture-variants.ts';
import { createQueue } from '../jobs/queue.ts';
import { outsideRequests } from '../storage/storage.ts';
import type { Images } from './image.ts';
import { variantFile } from './uploads.ts';
import type { VariantRecords } from './variant-records.ts';
import type { AppParts } from '../services.ts';

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
