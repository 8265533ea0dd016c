import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { UploadPlace } from '../config/upload-settings.ts';
import type { Queryable } from '../db/database.ts';
import type { Current } from '../settings/operator-settings.ts';
import { describeS3Fault } from '../storage/s3-fault.ts';
import { listNamesAfter } from './file-queries.ts';
import { newUploadName, type Uploads } from './uploads.ts';

export type CurrentUploads = ReturnType<typeof createCurrentUploads>;

const SAMPLE_SIZE = 20;
const PROBE_BYTES = 64;

interface Parts {
  initial: UploadPlace;
  open(place: UploadPlace): Uploads;
  explain(error: unknown): string;
}

/** Storage of uploads at a place that may change while the server runs. */
export function createCurrentUploads({ initial, open, explain }: Parts) {
  let read = async () => initial;
  let current = { place: initial, uploads: open(initial) };
  // Former ones may still be sending files.
  const opened = [current.uploads];
  const now = async (): Promise<Uploads> => {
    const place = await read().catch(() => current.place);
    if (!isDeepStrictEqual(place, current.place)) {
      current = { place, uploads: open(place) };
      opened.push(current.uploads);
    }
    return current.uploads;
  };
  const uploads: Uploads = {
    put: async (name, bytes) => (await now()).put(name, bytes),
    size: async (name) => (await now()).size(name),
    open: async (name) => (await now()).open(name),
    remove: async (name) => (await now()).remove(name),
    async *listOlder(instant) {
      yield* (await now()).listOlder(instant);
    },
    close: () => opened.forEach((each) => each.close()),
  };

  return {
    uploads,
    /** Takes the place from the settings, once they can be read. */
    follow(settings: Current<UploadPlace>): void {
      read = settings.read;
    },
    place: () => read(),
    isInFolder: (): boolean => 'folder' in current.place,
    /**
     * Writes, reads and removes a small file at a place, and looks for pictures of the site there. Returns
     * why the place cannot be used; null if it can.
     */
    async tryPlace(place: UploadPlace, db: Queryable): Promise<string | null> {
      const tried = open(place);
      const [name, bytes] = [newUploadName('-1x1.png'), randomBytes(PROBE_BYTES)];
      try {
        await tried.put(name, bytes);
        const found = await tried.open(name);
        const isSame = found && bytes.equals(Buffer.from(await new Response(found.body).arrayBuffer()));
        await tried.remove(name);
        if (!isSame) return '写进去的文件读出来不一样';
        for (const picture of await listNamesAfter(db, '', SAMPLE_SIZE))
          if ((await tried.size(picture)) === null)
            return `已有的图片（如 ${picture}）不在那里，换过去就看不到了：请先用 rclone 等工具把它们拷过去`;
        return null;
      } catch (error) {
        return 's3' in place ? describeS3Fault(error, place.s3.bucket) : explain(error);
      } finally {
        tried.close();
      }
    },
  };
}

/** Writes to one storage; also has the files of another. */
export const layered = (upper: Uploads, lower: Uploads): Uploads => ({
  put: upper.put,
  size: async (name) => (await upper.size(name)) ?? lower.size(name),
  open: async (name) => (await upper.open(name)) ?? lower.open(name),
  async remove(name) {
    await upper.remove(name);
    await lower.remove(name);
  },
  async *listOlder(instant) {
    yield* upper.listOlder(instant);
    yield* lower.listOlder(instant);
  },
  close() {
    upper.close();
    lower.close();
  },
});
