import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from './config.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_MS = 2_000;
/** How long a storage, or the reader it sends to, may be silent within a file. */
const SILENT_MS = 30_000;
/** Slow readers hold one each. */
const CONNECTIONS = 500;
const ATTEMPTS = 3;

/** A client of the storage at `place`, which is loaded with the first call: nobody else pays for it. */
export function openS3Client(place: S3Place) {
  let loading: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  let opened: S3Client | undefined;
  const open = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    opened = new sdk.S3Client({
      region: place.region,
      ...(place.endpoint === null ? {} : { endpoint: place.endpoint }),
      credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey },
      forcePathStyle: place.pathStyle,
      maxAttempts: ATTEMPTS,
      // Storages other than Amazon's refuse checksums in trailers, which the client would add unasked.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: SILENT_MS,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
    });
    return { sdk, client: opened };
  };
  return {
    load: () => (loading ??= open()),
    close: () => opened?.destroy(),
  };
}
