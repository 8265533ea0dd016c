import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  bracketed,
  ConfigError,
  EXIT_CONFIG,
  hosts,
  mailFields,
  origin,
  origins,
  parseVariables,
  moderationOf,
  peerFields,
  postgresUrl,
  purgeOf,
  privateHosts,
  searchFields,
  quotaFields,
  quotasOf,
  secretField,
  whole,
} from './config-fields.ts';
import { archivePlaceOf, backupFields } from './backup-settings.ts';
import { readOperator } from './operator-variables.ts';
import {
  isTimeZone,
  notATimeZone,
  MIN_SECRET_CHARACTERS,
  SITE_DEFAULTS,
} from '../../shared/site-settings.ts';
import { ensureFolder } from '../storage/data-folder.ts';
import { readSiteSettings } from './site-settings-file.ts';
import { ssoFields } from './sso-settings.ts';
import { uploadFields, uploadsOf, type S3Place } from './upload-settings.ts';
import { MIB, YEAR_S } from '../../contract/rules/units.ts';

export { ConfigError, EXIT_CONFIG, type S3Place };

/** All settings of the operator (docs/configuration.md), read once and passed down. */
export type Config = ReturnType<typeof readConfig>;

export const SECRET_FILE = 'token-secret';
/** Many turns of the event loop; connections made before the signal are accepted in the first. */
const STOP_LINGER_MS = 500;

const ListenEnvironment = z.object({
  HOST: z
    .string()
    .refine((value) => URL.canParse(`http://${bracketed(value)}`), 'HOST must be an address or a name')
    .default('127.0.0.1'),
  PORT: whole('PORT', 0, 65535).default(4321),
  SITE_URL: origin('SITE_URL').optional(),
  TRUST_PROXY: whole('TRUST_PROXY', 0, 10).default(0),
  CONNECTIONS_PER_ADDRESS: whole('CONNECTIONS_PER_ADDRESS', 1, 65_535).default(256),
  STOP_DELAY: whole('STOP_DELAY', 0, 300).default(0),
});

const Environment = ListenEnvironment.extend({
  ...quotaFields,
  ...searchFields,
  ...peerFields,
  ...mailFields,
  ...backupFields,
  ...ssoFields,
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: postgresUrl('DATABASE_URL'),
  DATABASE_READ_URL: postgresUrl('DATABASE_READ_URL'),
  DATABASE_POOL: whole('DATABASE_POOL', 2, 1000).default(10),
  // PostgreSQL keeps the ids of 64 subtransactions of a session in memory.
  WRITES_PER_COMMIT: whole('WRITES_PER_COMMIT', 1, 60).default(32),
  API_ORIGIN: z
    .undefined(
      'API_ORIGIN is for edge fronts (npm run build -- --adapter node): unset it to use the built-in API',
    )
    .optional(),
  SITE_JSON: z.string().optional(),
  SITE_TITLE: z.string().optional(),
  SITE_DESCRIPTION: z.string().optional(),
  SITE_BEIAN: z.string().optional(),
  SITE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, notATimeZone('SITE_TIME_ZONE'))
    .default(SITE_DEFAULTS.timeZone),
  TOKEN_SECRET: secretField('TOKEN_SECRET'),
  ACCESS_TOKEN_TTL: whole('ACCESS_TOKEN_TTL', 1, 86_400).default(900),
  REFRESH_TOKEN_TTL: whole('REFRESH_TOKEN_TTL', 1, YEAR_S).default(2_592_000),
  RATE_LIMIT: z.enum(['on', 'off'], 'RATE_LIMIT must be on or off').default('on'),
  CORS_ORIGINS: origins('CORS_ORIGINS'),
  PICTURE_HOSTS: hosts('PICTURE_HOSTS'),
  WEBHOOK_PRIVATE_HOSTS: privateHosts('WEBHOOK_PRIVATE_HOSTS'),
  PAGE_CACHE_MB: whole('PAGE_CACHE_MB', 0, 65_536).default(64),
  METRICS: z
    .enum(['loopback', 'public', 'off'], 'METRICS must be loopback, public or off')
    .default('loopback'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'METRICS_TOKEN must have 16 to 256 visible ASCII characters')
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['silent', 'error', 'warn', 'info', 'debug'],
      'LOG_LEVEL must be silent, error, warn, info or debug',
    )
    .default('info'),
  LOG_CLIENTS: z.enum(['on', 'off'], 'LOG_CLIENTS must be on or off').default('off'),
  UPLOADS_LIMIT_MB: whole('UPLOADS_LIMIT_MB', 1, 1_000_000_000).optional(),
  DISK_RESERVE_MB: whole('DISK_RESERVE_MB', 0, 1_000_000).default(256),
  ...uploadFields,
});

/**
 * Reads the settings of a server that only forwards requests.
 * @throws ConfigError naming the invalid setting
 */
export const readListenConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  listenOf(parseVariables(ListenEnvironment, environment));

const listenOf = (env: z.infer<typeof ListenEnvironment>) => ({
  host: env.HOST,
  /** 0 lets the system choose. */
  port: env.PORT,
  trustedHops: env.TRUST_PROXY,
  /** Public origin without a trailing slash. */
  origin: env.SITE_URL ?? ownOrigin(env.HOST, env.PORT),
  connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
  /** How long the server accepts connections after SIGTERM, in milliseconds. */
  stopLingerMs: Math.max(STOP_LINGER_MS, env.STOP_DELAY * 1000),
});

const ownOrigin = (host: string, port: number) => `http://${bracketed(host)}:${port}`;

/**
 * Reads the settings (docs/configuration.md); an empty value counts as unset. Without TOKEN_SECRET, a
 * generated one is stored in DATA_DIR, unless DATABASE_URL is set: processes that share a database must share
 * the secret.
 * @throws ConfigError naming the invalid variable
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const env = parseVariables(Environment, environment);
  const dataDir = resolve(env.DATA_DIR);
  if (env.DATABASE_URL !== undefined && env.TOKEN_SECRET === undefined)
    throw new ConfigError(
      'TOKEN_SECRET must be set together with DATABASE_URL, to the same value for every process: openssl rand -base64 48',
    );
  if (env.DATABASE_READ_URL !== undefined && env.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL, of which it is a read replica');
  return {
    ...listenOf(env),
    dataDir,
    /** Null for the SQLite file in `dataDir`. Has a password: never show it. */
    databaseUrl: env.DATABASE_URL ?? null,
    /** A standby of `databaseUrl` for reads for visitors; has a password too. */
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    databasePool: env.DATABASE_POOL,
    writesPerCommit: env.WRITES_PER_COMMIT,
    site: readSiteSettings(dataDir, env),
    siteTimeZone: env.SITE_TIME_ZONE,
    tokenSecret: env.TOKEN_SECRET ?? storedSecret(dataDir),
    /** Seconds. */
    accessTokenTtl: env.ACCESS_TOKEN_TTL,
    refreshTokenTtl: env.REFRESH_TOKEN_TTL,
    limitsRates: env.RATE_LIMIT === 'on',
    quotas: env.RATE_LIMIT === 'on' ? quotasOf(env) : null,
    corsOrigins: env.CORS_ORIGINS,
    /** Hosts whose pictures are imported automatically from pasted or imported text; `*` is all. */
    pictureHosts: env.PICTURE_HOSTS,
    /** Receivers of webhooks on the operator's own network, `host` or `host:port`. */
    webhookPrivateHosts: env.WEBHOOK_PRIVATE_HOSTS,
    purge: purgeOf(env),
    moderation: moderationOf(env),
    /** Maximum size of the page cache; 0 disables it. */
    pageCacheBytes: env.PAGE_CACHE_MB * MIB,
    metrics: env.METRICS,
    metricsToken: env.METRICS_TOKEN ?? null,
    /** Whether log lines of requests have the client's address and account. */
    logsClients: env.LOG_CLIENTS === 'on',
    logLevel: env.LOG_LEVEL,
    uploads: uploadsOf(env, dataDir),
    uploadsLimitBytes: env.UPLOADS_LIMIT_MB === undefined ? null : env.UPLOADS_LIMIT_MB * MIB,
    diskReserveBytes: env.DISK_RESERVE_MB * MIB,
    /** Settings that the console can change too, as the environment sets them. */
    operator: readOperator(environment, dataDir),
  };
}

export type SitePlaces = Omit<ReturnType<typeof readPlaces>, 'operator'>;

/** Reads the settings of a site's storage; creates nothing. @throws ConfigError */
export function readPlaces(environment: NodeJS.ProcessEnv = process.env) {
  const env = parseVariables(Environment, environment);
  const dataDir = resolve(env.DATA_DIR);
  const file = join(dataDir, SECRET_FILE);
  return {
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    uploads: uploadsOf(env, dataDir),
    siteTimeZone: env.SITE_TIME_ZONE,
    diskReserveBytes: env.DISK_RESERVE_MB * MIB,
    /** The site's secret; null before it is created. */
    secret: env.TOKEN_SECRET ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null),
    passphrase: env.BACKUP_PASSPHRASE ?? null,
    /** Settings that the console can change too, as the environment sets them. */
    operator: readOperator(environment, dataDir),
  };
}

/** Reads the access to buckets for `archivePlaceOf`. @throws ConfigError */
export const readArchivePlace = (address: string, environment: NodeJS.ProcessEnv) =>
  archivePlaceOf(address, parseVariables(Environment, environment));

/** Reads the generated secret, creating it if needed: with `wx`, one of two concurrent processes wins. */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, SECRET_FILE);
  try {
    ensureFolder(dataDir, true);
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      try {
        writeSync(descriptor, randomBytes(48).toString('base64url'));
        fsyncSync(descriptor);
      } catch (error) {
        // An empty file would look like a damaged secret once the disk has room again.
        rmSync(file);
        throw error;
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= MIN_SECRET_CHARACTERS) return secret;
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  throw new ConfigError(`${file} is damaged: restore it from a backup, or delete it to sign out every user`);
}
