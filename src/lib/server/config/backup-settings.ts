import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError, origin, whole } from './config-fields.ts';
import { isInterval, MIN_PASSPHRASE_CHARACTERS } from '../../shared/site-settings.ts';
import { ANY_REGION, type UploadPlace } from './upload-settings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/rules/units.ts';

const UNIT_MS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const NOT_A_TIME = 'BACKUP_EVERY must be an interval such as 30m, 6h or 1d';
/** Limit of S3. */
const MAX_KEY_BYTES = 1_024;

export const backupFields = {
  BACKUP_EVERY: z
    .string()
    .refine(isInterval, NOT_A_TIME)
    .transform((value) => Number(value.slice(0, -1)) * (UNIT_MS[value.slice(-1)] ?? 0))
    .optional(),
  BACKUP_KEEP: whole('BACKUP_KEEP', 1, 10_000).default(7),
  BACKUP_TO: z.string().optional(),
  BACKUP_PASSPHRASE: z
    .string()
    .min(
      MIN_PASSPHRASE_CHARACTERS,
      `BACKUP_PASSPHRASE must be at least ${MIN_PASSPHRASE_CHARACTERS} characters`,
    )
    .optional(),
  BACKUP_S3_ENDPOINT: origin('BACKUP_S3_ENDPOINT').optional(),
  BACKUP_S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'BACKUP_S3_REGION must be the name of a region')
    .optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_S3_PATH_STYLE: z.enum(['on', 'off'], 'BACKUP_S3_PATH_STYLE must be on or off').optional(),
};

type BackupEnvironment = z.infer<z.ZodObject<typeof backupFields>>;

export type BackupSettings = NonNullable<ReturnType<typeof backupOf>>;

/** Returns the settings of automatic backups; null when they are off. @throws ConfigError */
export function backupOf(env: BackupEnvironment) {
  if (env.BACKUP_EVERY === undefined && env.BACKUP_TO === undefined) return null;
  if (env.BACKUP_EVERY === undefined || env.BACKUP_TO === undefined)
    throw new ConfigError('backups need BACKUP_EVERY and BACKUP_TO: set both or neither');
  return {
    everyMs: env.BACKUP_EVERY,
    keep: env.BACKUP_KEEP,
    to: placeOf(env.BACKUP_TO, env),
    passphrase: env.BACKUP_PASSPHRASE ?? null,
  };
}

const BUCKET_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const FOLDER_IN_BUCKET = /^[\w./-]*$/;

/** Whether `text` is a URL and no path; `C:/backups` is a path. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\//i.test(text);

function placeOf(to: string, env: BackupEnvironment): UploadPlace {
  const [, bucket, path = ''] = BUCKET_ADDRESS.exec(to) ?? [];
  if (bucket !== undefined && FOLDER_IN_BUCKET.test(path)) {
    const prefix = path.replace(/^\/+|\/+$/g, '');
    return bucketOf(bucket, prefix === '' ? '' : `${prefix}/`, env);
  }
  if (/^[a-z0-9]+:/i.test(to))
    throw new ConfigError('BACKUP_TO must be a folder, or a URL such as s3://bucket/folder');
  return { folder: resolve(to) };
}

/** One archive: its folder or bucket, and its name there. */
export interface ArchivePlace {
  place: UploadPlace;
  name: string;
}

/**
 * Returns the archive at a path or at `s3://bucket/key`; null for any other address.
 * @throws ConfigError if the access to buckets is not set
 */
export function archivePlaceOf(address: string, env: BackupEnvironment): ArchivePlace | null {
  const [, bucket, key = ''] = BUCKET_ADDRESS.exec(address) ?? [];
  if (bucket !== undefined) {
    const [, prefix = '', name = ''] = /^(.*\/)?([^/]*)$/s.exec(key) ?? [];
    if (name === '' || Buffer.byteLength(key) > MAX_KEY_BYTES) return null;
    return { place: bucketOf(bucket, prefix, env), name };
  }
  if (isUrl(address)) return null;
  const path = resolve(address);
  return { place: { folder: dirname(path) }, name: basename(path) };
}

function bucketOf(bucket: string, prefix: string, env: BackupEnvironment): UploadPlace {
  const region = env.BACKUP_S3_REGION ?? (env.BACKUP_S3_ENDPOINT && ANY_REGION);
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey || !region)
    throw new ConfigError(
      'backups in S3 need BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY and BACKUP_S3_REGION or BACKUP_S3_ENDPOINT',
    );
  return {
    s3: {
      bucket,
      region,
      endpoint: env.BACKUP_S3_ENDPOINT ?? null,
      accessKeyId,
      secretAccessKey,
      prefix,
      pathStyle: env.BACKUP_S3_PATH_STYLE
        ? env.BACKUP_S3_PATH_STYLE === 'on'
        : env.BACKUP_S3_ENDPOINT !== undefined,
    },
  };
}
