import { z } from 'zod';
import { notAnOrigin, parseOrigin } from '../site-settings.ts';

/** A number written in digits, within bounds. */
export const whole = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be a whole number from ${min} to ${max}`);

/** A host as it stands in a URL: an IPv6 address in brackets. */
export const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Scheme, host and port of a web server. */
export const origin = (name: string) =>
  z.string().transform((value, context) => {
    const parsed = parseOrigin(value);
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: notAnOrigin(name) });
    return z.NEVER;
  });

/** What pg knows of libpq's modes; it has none that falls back to a connection in the clear. */
export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** Whether `text` names a host and a database. */
export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  const host = url?.searchParams.get('host') ?? url?.hostname;
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && Boolean(host) && url.pathname.length > 1;
}

/** Whether a database URL asks for a mode there is, or for none. */
export function hasKnownSslMode(text: string): boolean {
  const mode = URL.parse(text)?.searchParams.get('sslmode') ?? 'disable';
  return SSL_MODES.includes(mode);
}

/** Origins with commas between. */
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
