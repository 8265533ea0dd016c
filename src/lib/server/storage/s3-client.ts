import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Place } from '../config/config.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_TIMEOUT_MS = 2_000;
/** Timeout for inactivity of the storage, or of the reader it sends to, within a file. */
const SOCKET_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 500;
const MAX_ATTEMPTS = 3;

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
      maxAttempts: MAX_ATTEMPTS,
      // Other S3-compatible storages refuse checksums in trailers, which the client adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SOCKET_TIMEOUT_MS,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    });
    return { sdk, client: opened };
  };
  return {
    load: () => (loading ??= open()),
    close: () => opened?.destroy(),
  };
}
