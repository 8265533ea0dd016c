import { z } from 'zod';
import type { Variables } from '../../contract/rules/operator-settings.ts';
import { MAIL_ENCRYPTION_NAMES } from '../../contract/rules/site-rules.ts';
import { namesOf } from '../../contract/titled.ts';
import {
  isVerificationCode,
  VERIFICATION_VARIABLES,
  VERIFICATIONS,
  type VerificationVariable,
} from '../../contract/rules/verifications.ts';
import {
  isBaiduToken,
  isHost,
  isIndexNowKey,
  isMailSender,
  notAnIndexNowKey,
  notAnOrigin,
  notHosts,
  parseHosts,
  parseOrigin,
  MIN_SECRET_CHARACTERS,
} from '../../shared/site-settings.ts';
import { QUOTAS, type QuotaLimits, type QuotaSetting } from '../shared/quota-rules.ts';

/** Thrown for an invalid setting; the message is one line that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** EX_CONFIG of sysexits.h: a restart cannot succeed. deploy/moye.service does not restart after it. */
export const EXIT_CONFIG = 78;

/** Validates variables; empty ones count as unset. @throws ConfigError naming the invalid variables */
export function parseVariables<T extends z.ZodType>(
  schema: T,
  environment: Readonly<Record<string, string | undefined>>,
): z.infer<T> {
  const present = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(({ message }) => message).join('; '));
}

export const whole = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be a whole number from ${min} to ${max}`);

export const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

const parsedBy = <T>(parse: (text: string) => T | null, message: string) =>
  z.transform((value: string, context) => {
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const origin = (name: string) => z.string().pipe(parsedBy(parseOrigin, notAnOrigin(name)));
export const hosts = (name: string) =>
  z
    .string()
    .default('')
    .pipe(parsedBy(parseHosts, notHosts(name)));

/** Hosts by name and port, not `*`. A default port is not written, as in `URL.host`. */
export const privateHosts = (name: string) =>
  z
    .string()
    .default('')
    .transform((text) => parseHosts(text) ?? ['*'])
    .refine((found) => !found.includes('*'), `${name} must be hosts such as bot.lan,10.0.0.5:8080`);

/** libpq modes that pg supports; none falls back to an unencrypted connection. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  const host = url?.searchParams.get('host') ?? url?.hostname;
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && Boolean(host) && url.pathname.length > 1;
}

function hasKnownSslMode(text: string): boolean {
  const mode = URL.parse(text)?.searchParams.get('sslmode') ?? 'disable';
  return SSL_MODES.includes(mode);
}

export const postgresUrl = (name: string) =>
  z
    .string()
    .refine(isPostgresUrl, `${name} must be like postgres://user:password@host:5432/database`)
    .refine(hasKnownSslMode, `${name} has an unknown sslmode, known are ${SSL_MODES.join(', ')}`)
    .optional();

export const origins = (name: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .pipe(z.array(origin(name)))
    .default([]);

const MAX_QUOTA = 1_000_000_000;
const quotaField = (setting: string, most: number) => whole(setting, 0, MAX_QUOTA).default(most);

export const quotaFields = Object.fromEntries(
  Object.values(QUOTAS).map(({ setting, most }) => [setting, quotaField(setting, most)]),
) as Record<QuotaSetting, ReturnType<typeof quotaField>>;

export const quotasOf = (settings: Record<QuotaSetting, number>): QuotaLimits =>
  Object.fromEntries(
    Object.entries(QUOTAS).map(([kind, { setting, unit }]) => [kind, settings[setting] * unit]),
  ) as QuotaLimits;

const pushFields = {
  BAIDU_PUSH_TOKEN: z
    .string()
    .refine(isBaiduToken, 'BAIDU_PUSH_TOKEN must be the token that Baidu shows for the site')
    .optional(),
  INDEXNOW_KEY: z.string().refine(isIndexNowKey, notAnIndexNowKey('INDEXNOW_KEY')).optional(),
};

export const mailFields = {
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, 'SMTP_URL must be like smtps://user:password@host:465 or smtp://host:587')
    .optional(),
  SMTP_HOST: z.string().refine(isHost, 'SMTP_HOST must be the name of a mail server').optional(),
  SMTP_PORT: whole('SMTP_PORT', 1, 65_535).optional(),
  SMTP_ENCRYPTION: z
    .enum(namesOf(MAIL_ENCRYPTION_NAMES), 'SMTP_ENCRYPTION must be tls, starttls or any')
    .default('tls'),
  SMTP_USER: z.string().optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_FROM: z
    .string()
    .refine(isMailSender, 'SMTP_FROM must be an address such as blog@example.com or 墨页 <blog@example.com>')
    .optional(),
};
type MailEnvironment = z.infer<z.ZodObject<typeof mailFields>>;

/** Returns the mail settings; null when mail is off. @throws ConfigError */
export function smtpOf(env: MailEnvironment) {
  const { SMTP_FROM: from } = env;
  const url = env.SMTP_URL ?? (env.SMTP_HOST === undefined ? undefined : smtpUrlOf(env.SMTP_HOST, env));
  if (url === undefined && from === undefined) return null;
  if (url === undefined || from === undefined)
    throw new ConfigError('mail needs SMTP_URL and SMTP_FROM: set both or neither');
  return { url, from };
}

function smtpUrlOf(server: string, env: MailEnvironment): string {
  const { SMTP_PORT: port, SMTP_ENCRYPTION: encryption, SMTP_USER: user, SMTP_PASSWORD: password } = env;
  const host = URL.parse(`http://${bracketed(server)}`)?.hostname ?? '';
  const login =
    user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`;
  const scheme = encryption === 'tls' ? 'smtps' : 'smtp';
  const query = encryption === 'starttls' ? '?requireTLS=true' : '';
  return `${scheme}://${login}${host}:${port ?? (encryption === 'tls' ? 465 : 587)}${query}`;
}

/** Returns the variables of the mail server with the parts of SMTP_URL instead of it. */
export function smtpParts({ SMTP_URL: address, ...texts }: Variables): Variables {
  const url = URL.parse(address ?? '');
  if (!url) return texts;
  const isTls = url.protocol === 'smtps:';
  const requiresTls = url.searchParams.get('requireTLS') === 'true';
  return {
    ...texts,
    SMTP_HOST: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    SMTP_PORT: url.port || (isTls ? '465' : '587'),
    SMTP_ENCRYPTION: isTls ? 'tls' : requiresTls ? 'starttls' : 'any',
    SMTP_USER: decodeURIComponent(url.username),
    SMTP_PASSWORD: decodeURIComponent(url.password),
  };
}

/** Returns whether `text` names a mail server. Its query is for the mail library: it may set TLS options. */
function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

export type PushKeys = Pick<ReturnType<typeof searchOf>, 'baidu' | 'indexnow'>;

/** Variables of the search engines' meta tags: VERIFY_BAIDU and so on. */
const verificationFields = Object.fromEntries(
  VERIFICATION_VARIABLES.map((name) => {
    const message = `${name} must be the content of the search engine's meta tag`;
    return [name, z.string().refine(isVerificationCode, message).optional()];
  }),
) as Record<VerificationVariable, z.ZodOptional<z.ZodString>>;

export const searchFields = { ...pushFields, ...verificationFields };

/** Returns the keys of the engines to push to, and the contents of meta tags by name. */
export const searchOf = (env: z.infer<z.ZodObject<typeof searchFields>>) => ({
  baidu: env.BAIDU_PUSH_TOKEN ?? null,
  indexnow: env.INDEXNOW_KEY ?? null,
  verification: Object.fromEntries(
    VERIFICATION_VARIABLES.flatMap((name) => {
      const code = env[name];
      return code === undefined ? [] : [[VERIFICATIONS[name].tag, code]];
    }),
  ) as Record<string, string>,
});

export const secretField = (name: string) =>
  z
    .string()
    .min(MIN_SECRET_CHARACTERS, `${name} must be at least ${MIN_SECRET_CHARACTERS} characters`)
    .optional();

export const peerFields = {
  PURGE_URLS: origins('PURGE_URLS'),
  PURGE_SECRET: secretField('PURGE_SECRET'),
  MODERATION_URL: z
    .url({
      protocol: /^https?$/,
      error: 'MODERATION_URL must be an address such as https://judge.example/check',
    })
    .optional(),
  MODERATION_SECRET: secretField('MODERATION_SECRET'),
};
type PeerSettings = z.infer<z.ZodObject<typeof peerFields>>;

/** Returns the edge fronts to purge; null without PURGE_URLS. @throws ConfigError without a secret */
export function purgeOf(env: PeerSettings): { fronts: string[]; secret: string } | null {
  const { PURGE_URLS: fronts, PURGE_SECRET: secret } = env;
  if (fronts.length === 0) return null;
  if (secret === undefined)
    throw new ConfigError('PURGE_URLS needs PURGE_SECRET, with the same value as the edge servers');
  return { fronts, secret };
}

/**
 * Returns the external moderation service; null without MODERATION_URL. @throws ConfigError without a
 * secret
 */
export function moderationOf(env: PeerSettings): { url: string; secret: string } | null {
  const { MODERATION_URL: url, MODERATION_SECRET: secret } = env;
  if (url === undefined) return null;
  if (secret === undefined)
    throw new ConfigError('MODERATION_URL needs MODERATION_SECRET, which signs its requests');
  return { url, secret };
}
