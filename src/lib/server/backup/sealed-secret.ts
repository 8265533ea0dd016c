import { createSecretKey, randomBytes, scrypt, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { seal, unseal } from '../shared/seal.ts';
import { BackupError } from './format.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** 128 MiB of memory per guess, as OWASP recommends for scrypt. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const CONTEXT = 'moye backup secret';

/** Secret of a site, encrypted with a passphrase. The cost is limited: archives may be hostile. */
const SealedSecret = z.object({
  kdf: z.literal('scrypt'),
  N: z
    .number()
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(4),
  salt: z.string(),
  sealed: z.string(),
});

export async function sealSecret(secret: string, passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await keyOf(passphrase, salt, COST);
  const sealed = seal(key, CONTEXT, secret);
  return `${JSON.stringify({ kdf: 'scrypt', ...COST, salt: salt.toString('base64'), sealed })}\n`;
}

/** Decrypts an entry of `sealSecret`. @throws BackupError if the passphrase is wrong */
export async function openSecret(entry: string, passphrase: string): Promise<string> {
  const { salt, sealed, ...cost } = SealedSecret.parse(JSON.parse(entry));
  const secret = unseal(await keyOf(passphrase, Buffer.from(salt, 'base64'), cost), CONTEXT, sealed);
  if (secret === null) throw new BackupError('口令不对：备份里的密钥打不开');
  return secret;
}

async function keyOf(
  passphrase: string,
  salt: Buffer,
  { N, r, p }: { N: number; r: number; p: number },
): Promise<KeyObject> {
  // scrypt needs 128 × N × r bytes, and fails above `maxmem`.
  return createSecretKey(await derive(passphrase, salt, 32, { N, r, p, maxmem: 256 * N * r }));
}
