import { describe, expect, test } from 'vitest';
import { createS3 } from '../../src/lib/server/files/s3.ts';
import type { Uploads } from '../../src/lib/server/files/uploads.ts';
import { openS3Storage, type S3Storage } from './s3-storage.ts';

describe('S3', () => {
  const png = `${'a'.repeat(32)}.png`;
  const withStorage = async (work: (storage: S3Storage, uploads: Uploads) => Promise<void>) => {
    const storage = await openS3Storage();
    const uploads = createS3(storage.place);
    try {
      await work(storage, uploads);
    } finally {
      uploads.close();
      await storage.close();
    }
  };

  test('a wrong key reads nothing and writes nothing', () =>
    withStorage(async (storage) => {
      const uploads = createS3({ ...storage.place, secretAccessKey: 'another secret' });
      await expect(uploads.put(png, Buffer.from('x'))).rejects.toThrow('AccessDenied');
      await expect(uploads.open(png)).rejects.toThrow('AccessDenied');
      // The response to a HEAD has no body with the reason.
      await expect(uploads.size(png)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
      expect(storage.keys()).toEqual([]);
      uploads.close();
    }));

  test('a missing bucket is an error, a missing key is not', () =>
    withStorage(async (storage, uploads) => {
      expect(await uploads.open(png)).toBeNull();
      storage.be('bucketless');
      await expect(uploads.open(png)).rejects.toThrow('NoSuchBucket');
      storage.be('locked');
      await expect(uploads.open(png)).rejects.toThrow('AccessDenied');
      // The response to a HEAD has no body with the reason.
      await expect(uploads.size(png)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    }));

  test('a silent storage times out and is retried', { tags: ['long'] }, () =>
    withStorage(async (storage, uploads) => {
      storage.be('silent');
      await expect(uploads.open(png)).rejects.toMatchObject({ name: 'AbortError' });
      storage.be('well');
      expect(await uploads.open(png)).toBeNull();
    }),
  );

  test('an aborted download aborts for the reader too', () =>
    withStorage(async (storage, uploads) => {
      await uploads.put(png, Buffer.alloc(100_000));
      storage.be('broken');
      const found = await uploads.open(png);
      expect(found?.size).toBe(100_000);
      await expect(new Response(found?.body).arrayBuffer()).rejects.toThrow('aborted');
    }));

  test('a reader who disconnects ends the download from storage', () =>
    withStorage(async (storage, uploads) => {
      await uploads.put(png, Buffer.alloc(30_000_000));
      const found = await uploads.open(png);
      await found?.body.cancel();
      await expect.poll(() => storage.openAnswers()).toBe(0);
    }));
});
