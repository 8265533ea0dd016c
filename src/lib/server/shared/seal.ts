import { createCipheriv, createDecipheriv, createHash, randomBytes, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** SHA-256 in hexadecimal, for secrets of which only a hash is stored. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Encrypts `text` with `key`; it can be decrypted only with the same `context`. */
export function seal(key: KeyObject, context: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts a sealed text; returns null for another key (such as another TOKEN_SECRET) or context. */
export function unseal(key: KeyObject, context: string, text: string): string | null {
  const bytes = Buffer.from(text, 'base64url');
  const [tagAt, textAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
  if (bytes.length < textAt) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, tagAt), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
