import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

const signatureOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

/** A text that carries its own signature, for addresses. `text` has no dot. */
export const signed = (key: KeyObject, text: string): string =>
  `${text}.${signatureOf(key, text).toString('base64url')}`;

/** The text of what `signed` made; null for anything else. */
export function readSigned(key: KeyObject, token: string): string | null {
  const [text = '', signature = ''] = token.split('.', 2);
  const given = Buffer.from(signature, 'base64url');
  const wanted = signatureOf(key, text);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
}
