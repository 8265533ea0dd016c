import type { HeadObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from '../config/config.ts';
import { openS3Client, type Sdk } from '../storage/s3-client.ts';
import { contentTypeOf, isUploadName, type Uploads } from './uploads.ts';

type Send = <T>(
  ask: (sdk: Sdk, client: S3Client, signal: AbortSignal) => Promise<T>,
  within: number,
) => Promise<T>;

/**
 * Time limits, including retries: until the response starts for reads, for the whole upload of some megabytes
 * for writes.
 */
const READ_TIMEOUT_MS = 4_500;
const WRITE_TIMEOUT_MS = 15_000;

/** Stores uploads in a bucket. The client is loaded on first use. */
export function createS3(place: S3Place): Uploads {
  const { bucket: Bucket, prefix } = place;
  const { send, close } = connect(place);
  const keyOf = (name: string) => ({ Bucket, Key: prefix + name });
  return {
    async put(name, bytes) {
      await send((sdk, client, abortSignal) => {
        const command = new sdk.PutObjectCommand({
          ...keyOf(name),
          Body: bytes,
          ContentType: contentTypeOf(name),
        });
        return client.send(command, { abortSignal });
      }, WRITE_TIMEOUT_MS);
    },
    async size(name) {
      if (!isUploadName(name)) return null;
      const found = await send<HeadObjectCommandOutput | null>(
        (sdk, client, abortSignal) =>
          client.send(new sdk.HeadObjectCommand(keyOf(name)), { abortSignal }).catch(orNull),
        READ_TIMEOUT_MS,
      );
      return found && lengthOf(found);
    },
    async open(name) {
      if (!isUploadName(name)) return null;
      const found = await send(
        (sdk, client, abortSignal) =>
          client.send(new sdk.GetObjectCommand(keyOf(name)), { abortSignal }).catch(orNull),
        READ_TIMEOUT_MS,
      );
      if (!found?.Body) return null;
      const body = found.Body.transformToWebStream() as ReadableStream<Uint8Array>;
      return { size: lengthOf(found), body };
    },
    async remove(name) {
      if (!isUploadName(name)) return;
      await send(
        (sdk, client, abortSignal) => client.send(new sdk.DeleteObjectCommand(keyOf(name)), { abortSignal }),
        READ_TIMEOUT_MS,
      );
    },
    async *listOlder(instant) {
      let ContinuationToken: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await send((sdk, client, abortSignal) => {
          const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken });
          return client.send(command, { abortSignal });
        }, READ_TIMEOUT_MS);
        yield (page.Contents ?? [])
          .filter(({ LastModified }) => LastModified !== undefined && LastModified.getTime() < instant)
          .map(({ Key = '', Size = 0 }) => ({ name: Key.slice(prefix.length), bytes: Size }))
          .filter(({ name }) => isUploadName(name));
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    close,
  };
}

function connect(place: S3Place): { send: Send; close(): void } {
  const { load, close } = openS3Client(place);
  return {
    async send(ask, within) {
      const { sdk, client } = await load();
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), within);
      try {
        return await ask(sdk, client, abort.signal);
      } finally {
        // The response body may be read without a time limit.
        clearTimeout(timer);
      }
    },
    close,
  };
}

function lengthOf({ ContentLength }: { ContentLength?: number | undefined }): number {
  if (ContentLength === undefined) throw new Error('the storage returned no Content-Length');
  return ContentLength;
}

/** GET distinguishes a missing key from a missing bucket, which is an error. HEAD has no body for it. */
function orNull(error: unknown): null {
  const name = error instanceof Error ? error.name : '';
  if (name !== 'NoSuchKey' && name !== 'NotFound') throw error;
  return null;
}
