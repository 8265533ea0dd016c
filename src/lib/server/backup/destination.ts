import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { S3Place } from '../config/config.ts';
import { ensureWritableFolder, PRIVATE_FILE, syncFolder } from '../storage/data-folder.ts';
import { openBucket } from './bucket.ts';
import { BackupError } from './format.ts';
import type { Destination } from './places.ts';

export type DestinationPlace = { folder: string } | { s3: S3Place };

export const openDestination = (place: DestinationPlace): Destination =>
  's3' in place ? openBucket(place.s3) : openFolder(place.folder);

/**
 * Writes a small file as a backup would, lists and removes it. Returns null, or the error and whether the
 * file could be written.
 */
export async function tryDestination(
  place: DestinationPlace,
): Promise<{ error: unknown; isWritable: boolean } | null> {
  const destination = openDestination(place);
  const name = `moye-test-${randomBytes(8).toString('hex')}`;
  let isWritable = false;
  try {
    const draft = await destination.begin(name);
    try {
      await once(draft.sink.end('moye'), 'finish');
      await draft.commit();
    } catch (error) {
      await draft.discard();
      throw error;
    }
    isWritable = true;
    await destination.list();
    await destination.remove(name);
    return null;
  } catch (error) {
    return { error, isWritable };
  } finally {
    destination.close();
  }
}

function openFolder(folder: string): Destination {
  return {
    async begin(name) {
      ensureWritableFolder(folder);
      const file = join(folder, name);
      if (existsSync(file)) throw new BackupError(`${file} 已经存在，不会覆盖：请换一个文件名`);
      removeLeftovers(file);
      const partial = passing(file, 'partial');
      const sink = createWriteStream(partial, { mode: PRIVATE_FILE, flush: true });
      return {
        sink,
        async commit() {
          await rename(partial, file);
          await syncFolder(folder);
        },
        async discard() {
          // A file that is still being opened would be created after its removal.
          const closed = sink.closed
            ? undefined
            : once(
                sink.on('error', () => {}),
                'close',
              );
          sink.destroy();
          await closed?.catch(() => {});
          await rm(partial, { force: true });
        },
      };
    },
    async list() {
      const found = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
      return Promise.all(
        found.map(async ({ name }) => {
          const { size, mtimeMs } = await stat(join(folder, name));
          return { name, bytes: size, time: mtimeMs };
        }),
      );
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    close() {},
  };
}

/** Path of a temporary file next to `file` that this process writes. */
export const passing = (file: string, kind: 'partial' | 'snapshot'): string =>
  `${file}.${process.pid}.${kind}`;

export function removeLeftovers(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  if (!existsSync(folder)) return;
  for (const found of readdirSync(folder)) {
    const [, pid] = found.startsWith(`${name}.`)
      ? (/^(\d+)\.(?:partial|snapshot(?:-wal|-shm|-journal)?)$/.exec(found.slice(name.length + 1)) ?? [])
      : [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(folder, found), { force: true, recursive: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
