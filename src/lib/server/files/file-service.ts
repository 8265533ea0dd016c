import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import { readVariant } from '../../contract/rules/picture-variants.ts';
import type { Trx } from '../db/database.ts';
import type { FilesTable } from '../db/schema/schema.ts';
import { createQueue } from '../jobs/queue.ts';
import type { Spender } from '../quotas/quota-service.ts';
import { StorageUnavailableError } from '../storage/storage.ts';
import { deleteFile, insertFile, listNamesAfter, selectNames } from './file-queries.ts';
import { createImages, type Images, type Picture } from './image.ts';
import type { PictureAccount } from './picture-lanes.ts';
import {
  contentTypeOf,
  newUploadName,
  variantFile,
  type OpenedUpload,
  originalOf,
  type ListedUpload,
} from './uploads.ts';
import { sumVariants } from './variant-queries.ts';
import { createVariantRecords, type VariantRecords, createVariants } from './variants.ts';
import type { AppParts } from '../services.ts';
import { HOUR_MS } from '../../contract/rules/units.ts';

/** A stored image. A name's bytes never change. `isPassing`: the original, served until a copy is ready. */
export interface StoredFile {
  name: string;
  size: number;
  contentType: string;
  isPassing?: boolean;
}

export type FileService = ReturnType<typeof createFileService>;

const RETRY_AFTER_S = 5;
const FETCHES = { running: 4, runningEach: 2, waiting: 32, waitingEach: 8 };
const NEEDED = ['pictureMs', 'uploads', 'uploadBytes', 'storage'] as const;
const CANNOT_WRITE = '图片暂时无法保存，请稍后再试';
const CANNOT_READ = '图片暂时无法读取，请稍后再试';

export function createFileService(
  options: Pick<AppParts, 'db' | 'log' | 'now' | 'users' | 'uploads' | 'quotas' | 'room' | 'outside'> & {
    images?: Images | undefined;
  },
) {
  const { db, users, uploads, quotas, room, outside, log, now } = options;
  const { images = createImages() } = options;
  const records = createVariantRecords({ db, quotas, now });
  const variants = createVariants({ uploads, images, records, room, log });
  const fetches = createQueue(FETCHES);
  const reach = async <T>(text: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isRefusal(error)) throw error;
      log.error({ err: error }, 'uploads storage is unreachable');
      return refuse('UNAVAILABLE', { text, retryAfter: RETRY_AFTER_S });
    }
  };
  const accountOf = (owner: Spender): PictureAccount => ({
    id: owner.id,
    // Earlier pictures of the account may have used up the quota while this one waited.
    begin: () => quotas.requireSome(owner, ['pictureMs']),
    spent: (ms) =>
      quotas
        .charge(owner, 'pictureMs', ms)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'counting the processing time of a picture failed'),
        ),
  });
  const discard = async (name: string): Promise<void> => {
    try {
      await uploads.remove(name);
      await variants.remove(name);
    } catch (error) {
      log.warn({ err: error, name }, 'removing an upload failed');
    }
  };

  /**
   * Writes the file before its row, so no row lacks its file. `also` runs in the transaction and returns the
   * bytes it freed.
   */
  const store = async (
    owner: Spender,
    kind: FilesTable['kind'],
    picture: Picture,
    also: (trx: Trx, name: string) => Promise<number> = async () => 0,
  ): Promise<string> => {
    await room.require(picture.bytes.length);
    const name = newUploadName(endingOf(picture, kind));
    await reach(CANNOT_WRITE, uploads.put(name, picture.bytes));
    const row = {
      name,
      owner_id: owner.id,
      kind,
      bytes: picture.bytes.length,
      create_time: now(),
    };
    try {
      await db.write(async (trx) => {
        await insertFile(trx, row);
        const former = await also(trx, name);
        await quotas.use(trx, owner, { uploads: 1, uploadBytes: row.bytes });
        await quotas.store(trx, owner, row.bytes - former);
      });
    } catch (error) {
      // The row may exist; a later `removeOrphans` decides.
      if (error instanceof StorageUnavailableError && error.isOutcomeUnknown) throw error;
      await discard(name);
      if (db.violation(error)?.kind === 'foreign-key') refuse('SIGNIN_REQUIRED');
      throw error;
    }
    room.add(row.bytes);
    return name;
  };
  const described = <T>(name: string, found: T | null): T & { name: string; contentType: string } => {
    const contentType = contentTypeOf(name);
    return found !== null && contentType !== undefined
      ? { ...found, name, contentType }
      : refuse('FILE_NOT_FOUND');
  };

  /** Downloads a picture from another site. Refuses like `Outside.fetch`. */
  const fetchBytes = (url: string): Promise<Buffer> =>
    outside.fetch(pictureAddress(url), {
      most: BOUNDS.imageBytes,
      accepts: mayBePicture,
      headersFor: pictureHeaders,
    });
  const requireSize = (bytes: Uint8Array): void => {
    if (bytes.length === 0) refuse('IMAGE_MISSING');
    if (bytes.length > BOUNDS.imageBytes) refuseLarge(BOUNDS.imageBytes);
  };
  const requireRoom = async (owner: Spender): Promise<void> => {
    await room.require(1);
    await quotas.requireSome(owner, NEEDED);
  };
  /** Stores an image for use in articles. Refuses like `saveAvatar`. */
  const saveImage = async (owner: Spender, bytes: Uint8Array): Promise<{ name: string; url: string }> => {
    requireSize(bytes);
    await requireRoom(owner);
    const name = await store(owner, 'image', await images.toImage(bytes, accountOf(owner)));
    variants.makeAll(name, owner.id);
    return { name, url: `${PICTURE_URL}${name}` };
  };

  return {
    /**
     * Stores a data URL as the user's avatar; returns the file's name. Refuses with IMAGE_MISSING,
     * IMAGE_UNREADABLE, BODY_TOO_LARGE, QUOTA_REACHED, ACCOUNT_FULL, STORAGE_FULL, UNAVAILABLE;
     * SIGNIN_REQUIRED when the account no longer exists.
     */
    async saveAvatar(owner: Spender, dataUrl: string): Promise<string> {
      return this.storeAvatar(owner, readImageDataUrl(dataUrl, BOUNDS.avatarBytes));
    },
    /** Like `saveAvatar`, for the bytes of a picture of at most BOUNDS.avatarBytes. */
    async storeAvatar(owner: Spender, bytes: Uint8Array): Promise<string> {
      // Does not check the storage quota: the old avatar is deleted.
      await quotas.requireSome(owner, ['pictureMs', 'uploads', 'uploadBytes']);
      const picture = await images.toAvatar(bytes, accountOf(owner));
      let former = '';
      const name = await store(owner, 'avatar', picture, async (trx, fileName) => {
        former = await users.setAvatar(trx, owner.id, fileName);
        return deleteFile(trx, former);
      });
      if (former !== '') await discard(former);
      return name;
    },
    saveImage,
    /**
     * Converts a picture of another blog to a supported format. Refuses with IMAGE_UNREADABLE, QUOTA_REACHED,
     * UNAVAILABLE.
     */
    toReadable: (bytes: Uint8Array, owner: Spender) => images.toReadable(bytes, accountOf(owner)),
    /** Refuses an invalid picture like `saveImage`; stores nothing. */
    async checkImage(owner: Pick<Spender, 'id'>, bytes: Uint8Array): Promise<void> {
      requireSize(bytes);
      await images.toImage(bytes, { id: owner.id });
    },
    fetchBytes,
    bytesOfCopies: sumVariants,
    async discard(names: readonly string[]): Promise<void> {
      for (const name of names) await discard(name);
    },
    /** Downloads and stores a picture from another site. Refuses like `Outside.fetch` and `saveImage`. */
    async fetchImage(owner: Spender, url: string): Promise<{ name: string; url: string }> {
      await requireRoom(owner);
      const bytes = await fetches.run(() => fetchBytes(url), owner.id);
      return saveImage(owner, bytes);
    },
    /**
     * Returns the metadata of a file, or of its smaller copy `asked` (rules/picture-variants.ts) if it
     * exists. Refuses with FILE_NOT_FOUND, UNAVAILABLE.
     */
    async find(name: string, asked?: string): Promise<StoredFile> {
      const variant = readVariant(name, asked);
      if (variant) {
        const file = variantFile(name, variant);
        const copy = await reach(CANNOT_READ, uploads.size(file));
        if (copy !== null) {
          records.noteAsked(file);
          return described(file, { size: copy });
        }
      }
      const size = await reach(CANNOT_READ, uploads.size(name));
      return described(name, size === null ? null : { size });
    },
    /**
     * Opens a file, or its smaller copy `asked`, which is made if needed; falls back to the file when there
     * can be no copy or it is not ready. The caller must read or cancel the body. Refuses like `find`.
     */
    async read(name: string, asked?: string): Promise<StoredFile & OpenedUpload> {
      const variant = readVariant(name, asked);
      if (!variant) return described(name, await reach(CANNOT_READ, uploads.open(name)));
      const file = variantFile(name, variant);
      const ready = await reach(CANNOT_READ, uploads.open(file));
      if (ready) {
        records.noteAsked(file);
        return described(file, ready);
      }
      const outcome = await variants.ensure(name, variant);
      const made = outcome === 'made' ? await reach(CANNOT_READ, uploads.open(file)) : null;
      if (made) return described(file, made);
      const picture = described(name, await reach(CANNOT_READ, uploads.open(name)));
      return outcome === 'none' ? picture : { ...picture, isPassing: true };
    },
    /** Returns the file name of a user's avatar. Refuses with FILE_NOT_FOUND. */
    async avatarOf(username: string): Promise<string> {
      const avatar = (await users.findShown(username))?.avatar ?? '';
      return avatar === '' ? refuse('FILE_NOT_FOUND') : avatar;
    },
    ...createFileMaintenance({ db, uploads, records, log, now, reach: (work) => reach(CANNOT_READ, work) }),
    room,
    flushAsked: records.flush,
    async close(): Promise<void> {
      await variants.close();
      await records
        .flush()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'recording requests for smaller pictures failed'),
        );
    },
  };
}

/** File names of article pictures contain the size, for the renderer (embeds/pictures.ts). */
const endingOf = ({ width, height, extension }: Picture, kind: FilesTable['kind']): string =>
  kind === 'image' ? `-${width}x${height}.${extension}` : `.${extension}`;

const HEADER = /^data:image\/(?:png|jpe?g|webp)(?:;[a-z0-9-]+=[\w-]*)*;base64,/i;
const MAX_HEADER_CHARACTERS = 200;

/**
 * Returns the bytes of an image's data URL. Refuses with IMAGE_MISSING (empty), IMAGE_UNREADABLE (malformed,
 * not PNG, JPEG or WebP), BODY_TOO_LARGE beyond `most` bytes.
 */
export function readImageDataUrl(text: string, most: number): Buffer {
  if (text.trim() === '') refuse('IMAGE_MISSING');
  const header = HEADER.exec(text.slice(0, MAX_HEADER_CHARACTERS))?.[0];
  if (header === undefined) refuse('IMAGE_UNREADABLE');
  const base64 = text.slice(header.length);
  if (Math.floor((base64.length * 3) / 4) - 2 > most) refuseLarge(most);
  // Clients that do not escape `+` in a form send a space.
  const bytes = Buffer.from(base64.replaceAll(' ', '+'), 'base64');
  const padding = /={0,2}$/.exec(base64.slice(-2))?.[0].length ?? 0;
  // The decoder skips invalid characters, so a wrong length reveals them. A regular expression would take a
  // quarter of a second for 16 MiB.
  const isAscii = Buffer.byteLength(base64) === base64.length;
  const isWhole = isAscii && bytes.length === Math.floor(((base64.length - padding) * 3) / 4);
  if (bytes.length === 0 || !isWhole) refuse('IMAGE_UNREADABLE');
  if (bytes.length > most) refuseLarge(most);
  return bytes;
}

function refuseLarge(most: number): never {
  refuse('BODY_TOO_LARGE', { text: `图片不能超过 ${Math.floor(most / 1024 / 1024)} MB` });
}

const REFERERS: readonly [host: string, referer: string][] = [
  ['byteimg.com', 'https://juejin.cn/'],
  ['juejin.cn', 'https://juejin.cn/'],
  ['nlark.com', 'https://www.yuque.com/'],
  ['yuque.com', 'https://www.yuque.com/'],
  ['qpic.cn', 'https://mp.weixin.qq.com/'],
  ['qlogo.cn', 'https://mp.weixin.qq.com/'],
  ['github.com', 'https://github.com/'],
  ['githubusercontent.com', 'https://github.com/'],
  ['githubassets.com', 'https://github.com/'],
  ['csdnimg.cn', 'https://blog.csdn.net/'],
  ['zhimg.com', 'https://www.zhihu.com/'],
  ['jianshu.io', 'https://www.jianshu.com/'],
  ['cnblogs.com', 'https://www.cnblogs.com/'],
  ['sinaimg.cn', 'https://weibo.com/'],
  ['feishu.cn', 'https://www.feishu.cn/'],
];

function pictureHeaders({ hostname }: URL): Record<string, string> {
  const found = REFERERS.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return { Accept: 'image/*', ...(found ? { Referer: found[1] } : {}) };
}

/** Returns the URL of the raw file when `address` is a GitHub page about it; otherwise `address`. */
function pictureAddress(address: string): string {
  const page = /^https?:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/([^?#]+)/i.exec(address);
  return page ? `https://github.com/${page[1]}/raw/${page[2]}` : address;
}

/** Accepts unknown types too: some storage services label pictures as plain bytes. */
const mayBePicture = (type: string): boolean =>
  type.startsWith('image/') || ['', 'application/octet-stream', 'binary/octet-stream'].includes(type);

interface Parts extends Pick<AppParts, 'db' | 'log' | 'now' | 'uploads'> {
  records: VariantRecords;
  reach<T>(work: Promise<T>): Promise<T>;
}

const BATCH_SIZE = 200;

function createFileMaintenance({ db, uploads, records, log, now, reach }: Parts) {
  async function* scan(instant: number): AsyncGenerator<{ some: ListedUpload[]; recorded: Set<string> }> {
    for await (const listed of uploads.listOlder(instant)) {
      for (let start = 0; start < listed.length; start += BATCH_SIZE) {
        const some = listed.slice(start, start + BATCH_SIZE);
        yield {
          some,
          recorded: await selectNames(db.read, [...new Set(some.map(({ name }) => originalOf(name)))]),
        };
      }
    }
  }

  const findOrphans = async (): Promise<{ orphans: string[]; known: number }> => {
    const orphans: string[] = [];
    let known = 0;
    for await (const { some, recorded } of scan(now() - HOUR_MS)) {
      const unknown = some.filter(({ name }) => !recorded.has(originalOf(name)));
      known += some.length - unknown.length;
      orphans.push(...unknown.map(({ name }) => name));
    }
    return { orphans, known };
  };

  const findVariantFaults = async (): Promise<{ unrecorded: ListedUpload[]; lost: string[] }> => {
    const existing = new Set<string>();
    const unrecorded: ListedUpload[] = [];
    for await (const { some, recorded } of scan(Infinity)) {
      const copies = some.filter(({ name }) => originalOf(name) !== name && recorded.has(originalOf(name)));
      for (const { name } of copies) existing.add(name);
      unrecorded.push(...(await records.unrecorded(copies)));
    }
    const lost: string[] = [];
    for await (const files of records.list())
      for (const file of files)
        // A copy made meanwhile was not listed.
        if (!existing.has(file) && (await reach(uploads.size(file))) === null) lost.push(file);
    return { unrecorded, lost };
  };

  return {
    findOrphans,
    /**
     * Removes files older than an hour without a row; returns their number. Removes none if more files are
     * unknown than known: they may belong to another database, or their rows may not be restored yet.
     */
    async removeOrphans(): Promise<number> {
      const { orphans, known } = await findOrphans();
      if (orphans.length > known) {
        log.warn(
          { unknown: orphans.length, known },
          'most uploads are unknown to the database: removing none',
        );
        return 0;
      }
      for (const name of orphans) await uploads.remove(name);
      return orphans.length;
    },
    findVariantFaults,
    /** Makes the records match the storage, after a restore or an upgrade. */
    async mendVariants(): Promise<void> {
      const { unrecorded, lost } = await findVariantFaults();
      await records.addAll(unrecorded);
      await records.forget(lost);
    },
    async removeUnusedVariants(isStopping: () => boolean): Promise<number> {
      let removed = 0;
      while (!isStopping()) {
        const unused = await records.listUnused();
        if (unused.length === 0) break;
        await records.forget(unused);
        for (const file of unused) await uploads.remove(file);
        removed += unused.length;
      }
      return removed;
    },
    async findMissing(): Promise<string[]> {
      const existing = new Set<string>();
      for await (const names of uploads.listOlder(Infinity)) for (const { name } of names) existing.add(name);
      const missing: string[] = [];
      for (let after = ''; ;) {
        const names = await listNamesAfter(db.read, after, BATCH_SIZE);
        for (const name of names) {
          if (!existing.has(name) && (await reach(uploads.size(name))) === null) missing.push(name);
        }
        const last = names.at(-1);
        if (last === undefined) return missing;
        after = last;
      }
    },
  };
}
