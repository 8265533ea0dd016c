import { z } from 'zod';
import { absentField, textField } from './fields.ts';

const hex = z.string().regex(/^[0-9a-f]{1,128}$/);

/**
 * Challenge of ALTCHA 2: the browser searches for a key that begins with `keyPrefix`. All parameters are
 * signed.
 */
export const WorkToDo = z.object({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.int().min(1).max(100_000),
    expiresAt: z.int(),
    keyLength: z.int().min(1).max(64),
    keyPrefix: hex,
    keySignature: hex,
    nonce: hex,
    salt: hex,
  }),
  signature: hex,
});
export type WorkToDo = z.infer<typeof WorkToDo>;

export const ProofOfWork = z.object({
  challenge: WorkToDo,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex }),
});
export type ProofOfWork = z.infer<typeof ProofOfWork>;

/** A `ProofOfWork` as JSON, for calls that may require one. */
export const checkField = absentField(textField('人机验证', [0, 2_000]).optional());
