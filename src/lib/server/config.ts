import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  bracketed,
  ConfigError,
  hasKnownSslMode,
  hosts,
  isPostgresUrl,
  mailFields,
  origin,
  origins,
  moderationOf,
  peerFields,
  purgeOf,
  pushFields,
  pushKeysOf,
  quotaFields,
  quotasOf,
  smtpOf,
  SSL_MODES,
  whole,
  type PushKeys,
} from './config-fields.ts';

import { backupFields, backupOf, type BackupSettings } from './backup-settings.ts';
import { isTimeZone, notATimeZone, SECRET_MIN, SITE_DEFAULTS } from '../site-settings.ts';
import { ensureFolder } from './data-folder.ts';
import type { QuotaLimits } from './quota-rules.ts';
import { readSiteSettings, type SiteEnvironment, type SiteSettings } from './site-settings-file.ts';
import { uploadFields, uploadsOf, type S3Place, type UploadPlace } from './upload-settings.ts';

export { ConfigError, type S3Place };

interface ListenConfig {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Public origin without a trailing slash. */
  origin: string;
  /** How many X-Forwarded-* hops to believe. */
  trustedHops: number;
  /** Connections an address may have open; behind proxies, requests and live sockets of a client. */
  connectionsPerAddress: number;
  /** How long it still takes connections after SIGTERM. */
  stopLingerMs: number;
}

/** Everything an operator can set, DESIGN.md §7, read once and passed down. */
export interface Config extends ListenConfig {
  dataDir: string;
  /** The PostgreSQL database; null for the SQLite file in `dataDir`. Holds a password: never to be shown. */
  databaseUrl: string | null;
  /** How many connections to PostgreSQL this process opens at most. */
  databasePool: number;
  site: SiteSettings;
  /** IANA name of the zone that dates are shown in. */
  siteTimeZone: string;
  tokenSecret: string;
  /** Seconds. */
  accessTokenTtl: number;
  refreshTokenTtl: number;
  limitsRates: boolean;
  /** What an account may have; null where RATE_LIMIT is off. */
  quotas: QuotaLimits | null;
  corsOrigins: string[];
  /** Hosts whose pictures are brought in unasked when text is pasted or imported; `*` is all. */
  pictureHosts: string[];
  /** Edge fronts that are told what changes, and what they know it by; null when there are none. */
  purge: { fronts: string[]; secret: string } | null;
  /** What judges articles and comments beside us, and what it knows us by; null where nothing does. */
  moderation: { url: string; secret: string } | null;
  /** What search engines are told of new articles with; null where they are not. */
  pushKeys: PushKeys;
  /** How mail leaves; null where none does. Holds a password: never to be shown. */
  smtp: { url: string; from: string } | null;
  /** Bound of the page cache; 0 switches it off. */
  pageCacheBytes: number;
  /** Who may read GET /metrics. */
  metrics: 'loopback' | 'public' | 'off';
  /** Bearer token for GET /metrics and GET /healthz?verbose; null if unset. */
  metricsToken: string | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Where uploaded pictures are kept: every node must see the same. */
  uploads: UploadPlace;
  /** What all pictures and their copies may take; null where nothing bounds it. */
  uploadsLimitBytes: number | null;
  /** Bytes of a disk that only the database may use. */
  diskReserveBytes: number;
  /** Backups that the server makes by itself; null where it makes none. */
  backup: BackupSettings | null;
}

/** In DATA_DIR. */
export const SECRET_FILE = 'token-secret';
const MIB = 1024 * 1024;
/** Many turns of the event loop: who has connected before the signal is taken in the first. */
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
  ...pushFields,
  ...peerFields,
  ...mailFields,
  ...backupFields,
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, 'DATABASE_URL must be like postgres://user:password@host:5432/database')
    .refine(hasKnownSslMode, `DATABASE_URL has an sslmode that is none of ${SSL_MODES.join(', ')}`)
    .optional(),
  DATABASE_POOL: whole('DATABASE_POOL', 2, 1000).default(10),
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
  TOKEN_SECRET: z
    .string()
    .min(SECRET_MIN, `TOKEN_SECRET must be at least ${SECRET_MIN} characters`)
    .optional(),
  ACCESS_TOKEN_TTL: whole('ACCESS_TOKEN_TTL', 1, 86_400).default(900),
  REFRESH_TOKEN_TTL: whole('REFRESH_TOKEN_TTL', 1, 31_536_000).default(2_592_000),
  RATE_LIMIT: z.enum(['on', 'off'], 'RATE_LIMIT must be on or off').default('on'),
  CORS_ORIGINS: origins('CORS_ORIGINS'),
  PICTURE_HOSTS: hosts('PICTURE_HOSTS'),
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
  UPLOADS_LIMIT_MB: whole('UPLOADS_LIMIT_MB', 1, 1_000_000_000).optional(),
  DISK_RESERVE_MB: whole('DISK_RESERVE_MB', 0, 1_000_000).default(256),
  ...uploadFields,
});

const present = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

const invalid = ({ issues }: z.ZodError) => new ConfigError(issues.map(({ message }) => message).join('; '));

/** Settings of a server that only passes on. @throws ConfigError naming what cannot be used */
export function readListenConfig(environment: NodeJS.ProcessEnv = process.env): ListenConfig {
  const parsed = ListenEnvironment.safeParse(present(environment));
  if (!parsed.success) throw invalid(parsed.error);
  return listenOf(parsed.data);
}

const listenOf = (env: z.infer<typeof ListenEnvironment>): ListenConfig => ({
  host: env.HOST,
  port: env.PORT,
  trustedHops: env.TRUST_PROXY,
  origin: env.SITE_URL ?? ownOrigin(env.HOST, env.PORT),
  connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
  stopLingerMs: Math.max(STOP_LINGER_MS, env.STOP_DELAY * 1000),
});

const ownOrigin = (host: string, port: number) => `http://${bracketed(host)}:${port}`;

/**
 * Reads DESIGN.md §7's settings; empty counts as unset. Without TOKEN_SECRET one is kept in DATA_DIR, unless
 * DATABASE_URL is set: processes that share a database must agree on it.
 * @throws ConfigError naming the variable that cannot be used
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(present(environment));
  if (!parsed.success) throw invalid(parsed.error);
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  if (env.DATABASE_URL !== undefined && env.TOKEN_SECRET === undefined)
    throw new ConfigError(
      'TOKEN_SECRET must be set together with DATABASE_URL, to the same value for every process: openssl rand -base64 48',
    );
  return {
    ...listenOf(env),
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    databasePool: env.DATABASE_POOL,
    site: siteOf(dataDir, env),
    siteTimeZone: env.SITE_TIME_ZONE,
    tokenSecret: env.TOKEN_SECRET ?? keptSecret(dataDir),
    accessTokenTtl: env.ACCESS_TOKEN_TTL,
    refreshTokenTtl: env.REFRESH_TOKEN_TTL,
    limitsRates: env.RATE_LIMIT === 'on',
    quotas: env.RATE_LIMIT === 'on' ? quotasOf(env) : null,
    corsOrigins: env.CORS_ORIGINS,
    pictureHosts: env.PICTURE_HOSTS,
    purge: purgeOf(env),
    moderation: moderationOf(env),
    pushKeys: pushKeysOf(env),
    smtp: smtpOf(env),
    pageCacheBytes: env.PAGE_CACHE_MB * MIB,
    metrics: env.METRICS,
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
    uploads: uploadsOf(env, dataDir),
    uploadsLimitBytes: env.UPLOADS_LIMIT_MB === undefined ? null : env.UPLOADS_LIMIT_MB * MIB,
    diskReserveBytes: env.DISK_RESERVE_MB * MIB,
    backup: backupOf(env),
  };
}

/** What a backup or an export is made of, or restored into. */
export interface SitePlaces extends Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'uploads' | 'siteTimeZone' | 'diskReserveBytes'
> {
  /** The site's secret; null where there is none yet. */
  secret: string | null;
  /** What secrets in backups are sealed with. */
  passphrase: string | null;
}

/** Reads the settings that say where a site is kept; makes nothing. @throws ConfigError */
export function readPlaces(environment: NodeJS.ProcessEnv = process.env): SitePlaces {
  const parsed = Environment.safeParse(present(environment));
  if (!parsed.success) throw invalid(parsed.error);
  const env = parsed.data;
  const dataDir = resolve(env.DATA_DIR);
  const file = join(dataDir, SECRET_FILE);
  return {
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    uploads: uploadsOf(env, dataDir),
    siteTimeZone: env.SITE_TIME_ZONE,
    diskReserveBytes: env.DISK_RESERVE_MB * MIB,
    secret: env.TOKEN_SECRET ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null),
    passphrase: env.BACKUP_PASSPHRASE ?? null,
  };
}

function siteOf(dataDir: string, env: SiteEnvironment): SiteSettings {
  try {
    return readSiteSettings(dataDir, env);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** Reads the generated secret, first making it where there is none: `wx` lets one of two processes win. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, SECRET_FILE);
  try {
    ensureFolder(dataDir, true);
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      writeSync(descriptor, randomBytes(48).toString('base64url'));
      fsyncSync(descriptor);
      closeSync(descriptor);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= SECRET_MIN) return secret;
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  throw new ConfigError(`${file} is damaged: restore it from a backup, or delete it to sign everybody out`);
}
