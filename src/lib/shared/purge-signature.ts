import { KIB } from '../contract/rules/units.ts';

/**
 * Protocol by which an API server reports changes to its edge fronts: `POST /purge` with `{ tags: […] }`,
 * `X-Purge-Time` in milliseconds, and `X-Purge-Signature`, the HMAC-SHA256 of time and body in hexadecimal.
 * Requests more than five minutes old are rejected; repeated ones are harmless.
 */
export const PURGE_PATH = '/purge';
export const PURGE_TIME = 'X-Purge-Time';
export const PURGE_SIGNATURE = 'X-Purge-Signature';
/** Maximum size of a body. Fronts refuse a larger one with 413. */
export const MAX_PURGE_BYTES = 64 * KIB;
const MAX_CLOCK_OFFSET_MS = 300_000;

const encoder = new TextEncoder();
const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
const signed = (time: string, body: string) => encoder.encode(`${time}.${body}`);

export async function signPurge(secret: string, body: string, now: number): Promise<Record<string, string>> {
  const time = String(now);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signed(time, body)));
  const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { [PURGE_TIME]: time, [PURGE_SIGNATURE]: hex };
}

/** Whether `body` was signed with `secret`, at most five minutes from `now`. */
export async function isSigned(
  secret: string,
  { headers, body, now }: { headers: Headers; body: string; now: number },
): Promise<boolean> {
  const time = headers.get(PURGE_TIME) ?? '';
  const hex = headers.get(PURGE_SIGNATURE) ?? '';
  if (!/^\d{1,16}$/.test(time) || !/^[0-9a-f]{64}$/.test(hex)) return false;
  if (Math.abs(now - Number(time)) > MAX_CLOCK_OFFSET_MS) return false;
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return crypto.subtle.verify('HMAC', await keyOf(secret), signature, signed(time, body));
}
