import { z } from 'zod';
import { absentField, textField } from './fields.ts';

const hex = z.string().regex(/^[0-9a-f]{1,128}$/);

/** Work that a browser does (ALTCHA 2): the key to find begins with `keyPrefix`. Signed as a whole. */
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

/** The work, and what came out of it. */
export const ProofOfWork = z.object({
  challenge: WorkToDo,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex }),
});
export type ProofOfWork = z.infer<typeof ProofOfWork>;

/** A `ProofOfWork` as JSON, of calls that may ask for one. */
export const checkField = absentField(textField('人机验证', [0, 2_000]).optional());
