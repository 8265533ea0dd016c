import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import type { S3Place } from '../config/config.ts';
import { ensureWritableFolder, PRIVATE_FILE, syncFolder } from '../storage/data-folder.ts';
import { openS3Client } from '../storage/s3-client.ts';
import { BackupError } from './format.ts';
import { MIB } from '../../contract/rules/units.ts';

/** An archive or export being written. Exactly one of `commit` and `discard` ends it. */
export interface Draft<Sink> {
  sink: Sink;
  /** Stores it durably under its name. Call it after `sink` has ended. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface Destination {
  /** @throws BackupError if the destination is a folder that already contains this name */
  begin(name: string): Promise<Draft<Writable>>;
  /** Names of files, including all complete archives. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}

export type DestinationPlace = { folder: string } | { s3: S3Place };

export const openDestination = (place: DestinationPlace): Destination =>
  's3' in place ? openBucket(place.s3) : openFolder(place.folder);

const PART_BYTES = 16 * MIB;

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
    list: () => readdir(folder),
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

function openBucket(place: S3Place): Destination {
  const { load, close } = openS3Client(place);
  const keyOf = (name: string) => ({ Bucket: place.bucket, Key: place.prefix + name });
  return {
    async begin(name) {
      const { client } = await load();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const sink = new PassThrough();
      const upload = new Upload({
        client,
        params: { ...keyOf(name), Body: sink, ContentType: 'application/zstd' },
        partSize: PART_BYTES,
        queueSize: 1,
      });
      const done = upload.done();
      // Ends the archive's writer, which would otherwise wait forever.
      done.catch((error: Error) => sink.destroy(error));
      return {
        sink,
        commit: async () => void (await done),
        async discard() {
          sink.destroy();
          await upload.abort().catch(() => {});
          await done.catch(() => {});
        },
      };
    },
    async list() {
      const { sdk, client } = await load();
      const names: string[] = [];
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: place.prefix });
      for await (const { Contents = [] } of pages)
        names.push(...Contents.map(({ Key = '' }) => Key.slice(place.prefix.length)));
      return names;
    },
    async remove(name) {
      const { sdk, client } = await load();
      await client.send(new sdk.DeleteObjectCommand(keyOf(name)));
    },
    close,
  };
}
