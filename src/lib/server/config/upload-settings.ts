import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError, origin } from './config-fields.ts';

export interface S3Place {
  bucket: string;
  region: string;
  /** URL of the storage; null for Amazon's endpoint of the region. */
  endpoint: string | null;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prefix of every key: empty, or ending in `/`. */
  prefix: string;
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
  pathStyle: boolean;
}

/** `former`: a folder that still has the files from before the bucket was set in the console. */
export type UploadPlace = { folder: string } | { s3: S3Place; former?: string };

/** Sent to storages that have no regions. */
export const ANY_REGION = 'us-east-1';

export const uploadFields = {
  UPLOADS_DIR: z.string().optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'S3_BUCKET must be the name of a bucket')
    .optional(),
  S3_ENDPOINT: origin('S3_ENDPOINT').optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'S3_REGION must be the name of a region')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(/^\/?(?:[\w-][\w.-]*(?:\/|$))*$/, 'S3_PREFIX must be a path such as blog/pictures')
    .optional(),
  S3_PATH_STYLE: z.enum(['on', 'off'], 'S3_PATH_STYLE must be on or off').optional(),
};

type UploadEnvironment = z.infer<z.ZodObject<typeof uploadFields>>;

/** Returns the configured storage of uploads; refuses an incomplete one, or two. @throws ConfigError */
export function uploadsOf(env: UploadEnvironment, dataDir: string): UploadPlace {
  const given = Object.entries(env).filter(([name, value]) => name.startsWith('S3_') && value !== undefined);
  if (given.length === 0) return { folder: resolve(env.UPLOADS_DIR ?? join(dataDir, 'uploads')) };
  if (env.UPLOADS_DIR)
    throw new ConfigError(`UPLOADS_DIR and ${given[0]?.[0]} are both set: unset one of them`);
  const region = env.S3_REGION ?? (env.S3_ENDPOINT && ANY_REGION);
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!bucket || !accessKeyId || !secretAccessKey || !region)
    throw new ConfigError(
      'uploads in S3 need S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION or S3_ENDPOINT: ' +
        `set all of them or none (now set: ${given.map(([name]) => name).join(', ')})`,
    );
  const prefix = (env.S3_PREFIX ?? '').replace(/^\/+|\/+$/g, '');
  return {
    s3: {
      bucket,
      region,
      endpoint: env.S3_ENDPOINT ?? null,
      accessKeyId,
      secretAccessKey,
      prefix: prefix === '' ? '' : `${prefix}/`,
      pathStyle: env.S3_PATH_STYLE ? env.S3_PATH_STYLE === 'on' : env.S3_ENDPOINT !== undefined,
    },
  };
}
