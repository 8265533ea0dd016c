import { refuse } from '../../contract/errors.ts';
import { BOUNDS } from '../../contract/bounds.ts';
import type { Database, Trx } from '../db/database.ts';
import type { FilesTable } from '../db/schema.ts';
import type { UserService } from '../users/user-service.ts';
import { readImageDataUrl, refuseLarge } from './data-url.ts';
import { deleteFile, insertFile, selectNames } from './file-queries.ts';
import { createFolder } from './folder.ts';
import { createImages, type Picture } from './image.ts';

/** A stored image. A name's bytes never change. */
export interface StoredFile {
  name: string;
  bytes: Buffer;
  contentType: string;
}

export interface FileService {
  /**
   * Makes the picture in a data URL the user's avatar and returns its file's name. Refuses with IMAGE_MISSING, IMAGE_UNREADABLE,
   * BODY_TOO_LARGE, UNAVAILABLE, or SIGNIN_REQUIRED when the account is gone.
   */
  saveAvatar(viewer: { id: string }, dataUrl: string): Promise<string>;
  /** Stores an image for use in articles. Refuses as `saveAvatar` does. */
  saveImage(ownerId: string, bytes: Uint8Array): Promise<{ name: string; url: string }>;
  /** Refuses with FILE_NOT_FOUND. */
  read(name: string): Promise<StoredFile>;
  /** The avatar of the user of that name. Refuses with FILE_NOT_FOUND. */
  avatarOf(username: string): Promise<StoredFile>;
  /** Removes files that an interrupted upload or replacement left behind more than an hour ago; returns how many. */
  removeOrphans(): Promise<number>;
}

/** Where `read` is served, CONTRACT.md, "Calls". */
const FILE_URL = '/api/file/';
const CONTENT_TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const HOUR_MS = 3_600_000;
const CHECKED_AT_ONCE = 200;

/** Uploaded images in `directory`. `now` is milliseconds since the epoch. */
export function createFileService(options: {
  db: Database;
  users: Pick<UserService, 'find' | 'setAvatar'>;
  directory: string;
  now?: () => number;
}): FileService {
  const { db, users, directory, now = Date.now } = options;
  const folder = createFolder(directory);
  const images = createImages();

  /** Writes the file, then its row and whatever `also` does in one transaction: no row ever lacks its file. */
  const store = async (
    owner: { id: string; kind: FilesTable['kind'] },
    picture: Picture,
    also: (trx: Trx, name: string) => Promise<void> = async () => {},
  ): Promise<string> => {
    const name = await folder.write(picture.bytes, endingOf(picture, owner.kind));
    const row = {
      name,
      owner_id: owner.id,
      kind: owner.kind,
      bytes: picture.bytes.length,
      create_time: now(),
    };
    try {
      await db.write(async (trx) => {
        await insertFile(trx, row);
        await also(trx, name);
      });
    } catch (error) {
      await folder.remove(name);
      if (db.violation(error)?.kind === 'foreign-key') refuse('SIGNIN_REQUIRED');
      throw error;
    }
    return name;
  };
  const read = async (name: string): Promise<StoredFile> => {
    const bytes = await folder.read(name);
    const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)];
    return bytes && contentType !== undefined ? { name, bytes, contentType } : refuse('FILE_NOT_FOUND');
  };

  return {
    async saveAvatar(viewer, dataUrl) {
      const picture = await images.toAvatar(readImageDataUrl(dataUrl, BOUNDS.avatarBytes));
      let former = '';
      const name = await store({ id: viewer.id, kind: 'avatar' }, picture, async (trx, fileName) => {
        former = await users.setAvatar(trx, viewer.id, fileName);
        await deleteFile(trx, former);
      });
      await folder.remove(former);
      return name;
    },
    async saveImage(ownerId, bytes) {
      if (bytes.length === 0) refuse('IMAGE_MISSING');
      if (bytes.length > BOUNDS.imageBytes) refuseLarge(BOUNDS.imageBytes);
      const name = await store({ id: ownerId, kind: 'image' }, await images.toImage(bytes));
      return { name, url: `${FILE_URL}${name}` };
    },
    read,
    async avatarOf(username) {
      const user = await users.find(username);
      return user ? read(user.avatar) : refuse('FILE_NOT_FOUND');
    },
    async removeOrphans() {
      const names = await folder.listOlder(now() - HOUR_MS);
      let total = 0;
      for (let start = 0; start < names.length; start += CHECKED_AT_ONCE) {
        const some = names.slice(start, start + CHECKED_AT_ONCE);
        const kept = await selectNames(db.read, some);
        const orphans = some.filter((name) => !kept.has(name));
        await Promise.all(orphans.map((name) => folder.remove(name)));
        total += orphans.length;
      }
      return total;
    },
  };
}

/** How a stored picture's name ends. Those of articles tell their size, which the renderer reads (src/lib/markdown/pictures.ts). */
const endingOf = ({ width, height, extension }: Picture, kind: FilesTable['kind']): string =>
  kind === 'image' ? `-${width}x${height}.${extension}` : `.${extension}`;
