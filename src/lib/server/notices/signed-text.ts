import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

const signatureOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

/** Appends a signature to a text, for URLs. `text` must not contain a dot. */
export const signed = (key: KeyObject, text: string): string =>
  `${text}.${signatureOf(key, text).toString('base64url')}`;

/** Returns the text that `signed` has signed; null for anything else. */
export function readSigned(key: KeyObject, token: string): string | null {
  const [text = '', signature = ''] = token.split('.', 2);
  const given = Buffer.from(signature, 'base64url');
  const wanted = signatureOf(key, text);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
}
