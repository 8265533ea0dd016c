import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MIB } from '../../contract/rules/units.ts';
import type { S3Place } from '../config/config.ts';
import { openS3Client } from '../storage/s3-client.ts';
import { describeS3Fault } from '../storage/s3-fault.ts';
import { BackupError } from './format.ts';
import type { ArchiveReader, Destination, Listed } from './places.ts';

/** Size of the parts of an upload, which may have 10,000, and of the ranges of a download. */
const PART_BYTES = 16 * MIB;
const READ_ATTEMPTS = 3;
const RETRY_DELAY_MS = 1_000;
/** Time for the removal of the parts of a cancelled upload, after the part that is being sent. */
const DISCARD_TIMEOUT_MS = 10_000;

const keyOf = (place: S3Place, name: string) => ({ Bucket: place.bucket, Key: place.prefix + name });

const refused = (place: S3Place, error: unknown) =>
  error instanceof BackupError
    ? error
    : new BackupError(describeS3Fault(error, place.bucket), { cause: error });

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** A folder in a bucket. Every method throws a BackupError with the storage's own reason. */
export function openBucket(place: S3Place): Destination {
  const { load, close } = openS3Client(place);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw refused(place, error);
    }
  };

  /** A key that may only write may not list; then an existing object is not noticed. */
  async function exists(name: string): Promise<boolean> {
    const { sdk, client } = await load();
    const { Bucket, Key } = keyOf(place, name);
    try {
      // A list instead of HEAD, whose errors have no reason. The key itself is the first with this prefix.
      const { Contents = [] } = await client.send(
        new sdk.ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 }),
      );
      return Contents[0]?.Key === Key;
    } catch (error) {
      if (statusOf(error) === 403) return false;
      throw error;
    }
  }

  async function remove(name: string): Promise<void> {
    const { sdk, client } = await load();
    await client.send(new sdk.DeleteObjectCommand(keyOf(place, name)));
  }

  return {
    begin: (name) =>
      attempt(async () => {
        const { client } = await load();
        if (await exists(name))
          throw new BackupError(
            `s3://${place.bucket}/${place.prefix}${name} 已经存在，不会覆盖：请换一个文件名`,
          );
        const { Upload } = await import('@aws-sdk/lib-storage');
        const sink = new PassThrough();
        // The upload destroys its body when it fails. A second stream keeps that from the archive's writer,
        // which would report it instead of the storage's reason.
        const body = sink.pipe(new PassThrough());
        const upload = new Upload({
          client,
          params: { ...keyOf(place, name), Body: body, ContentType: 'application/zstd' },
          partSize: PART_BYTES,
          queueSize: 1,
        });
        const done = attempt(() => upload.done());
        // Ends the archive's writer, which would otherwise wait forever.
        done.catch((error: Error) => sink.destroy(error));
        return {
          sink,
          commit: async () => void (await done),
          async discard() {
            sink.destroy();
            // Not `abort()`, which would not wait for the removal of the parts.
            body.destroy(new Error('the upload was cancelled'));
            const removed = done.then(() => remove(name)).catch(() => {});
            await Promise.race([removed, wait(DISCARD_TIMEOUT_MS, undefined, { ref: false })]);
          },
        };
      }),
    list: () =>
      attempt(async () => {
        const { sdk, client } = await load();
        const found: Listed[] = [];
        const pages = sdk.paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: place.prefix });
        for await (const { Contents = [] } of pages)
          for (const { Key = '', Size = 0, LastModified } of Contents)
            found.push({ name: Key.slice(place.prefix.length), bytes: Size, time: Number(LastModified) });
        return found;
      }),
    remove: (name) => attempt(() => remove(name)),
    close,
  };
}

/** Reads an object in ranges: no connection stays open while its content is processed. */
export function readFromBucket(place: S3Place, name: string): ArchiveReader {
  const { load, close } = openS3Client(place);
  /** Set by the first response: later ones must be of the same object. */
  let version: string | undefined;

  async function readRange(start: number): Promise<{ bytes: Uint8Array; size: number }> {
    const { sdk, client } = await load();
    const range = { Range: `bytes=${start}-${start + PART_BYTES - 1}`, IfMatch: version };
    const found = await client.send(new sdk.GetObjectCommand({ ...keyOf(place, name), ...range }));
    const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(found.ContentRange ?? '') ?? [];
    if (Number(first) !== start) throw new BackupError(`存储桶 ${place.bucket} 不支持分段读取`);
    const bytes = await found.Body?.transformToByteArray();
    if (bytes?.length !== Number(last) - start + 1) throw new Error('the storage truncated its response');
    version ??= found.ETag;
    return { bytes, size: Number(size) };
  }

  async function* ranges(count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
    let [start, size] = [0, Infinity];
    for (let attempt = 1; start < size; attempt++) {
      try {
        const range = await readRange(start);
        count(range.bytes.length);
        yield range.bytes;
        [start, size, attempt] = [start + range.bytes.length, range.size, 0];
      } catch (error) {
        // An empty object has no range.
        if (statusOf(error) === 416) return;
        const isFinal = error instanceof BackupError || attempt === READ_ATTEMPTS;
        if (isFinal || isRefusal(error)) throw refused(place, error);
        await wait(RETRY_DELAY_MS);
      }
    }
  }

  return {
    open() {
      let read = 0;
      const stream = Readable.from(ranges((bytes) => void (read += bytes)));
      return { stream, bytesRead: () => read };
    },
    close,
  };
}

/** Whether the storage has answered with an error, which the client has retried if that helps. */
const isRefusal = (error: unknown): boolean => (statusOf(error) ?? 0) >= 400;
