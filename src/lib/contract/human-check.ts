import { z } from 'zod';
import { int } from './titled.ts';
import { absentField, textField } from './fields.ts';

const hex = z.string().regex(/^[0-9a-f]{1,128}$/);

/**
 * Challenge of ALTCHA 2: the browser searches for a key that begins with `keyPrefix`. All parameters are
 * signed.
 */
export const WorkToDo = z.object({
  parameters: z
    .strictObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      cost: z.int().min(1).max(100_000).meta({ title: '计算的次数' }),
      expiresAt: int('失效的时间，秒'),
      keyLength: z.int().min(1).max(64).meta({ title: '密钥的字节数' }),
      keyPrefix: hex.meta({ title: '密钥开头的字节' }),
      keySignature: hex.meta({ title: '密钥的签名' }),
      nonce: hex.meta({ title: '随机数' }),
      salt: hex.meta({ title: '盐' }),
    })
    .meta({ title: '题目' }),
  signature: hex.meta({ title: '签名' }),
});
export type WorkToDo = z.infer<typeof WorkToDo>;

export const ProofOfWork = z.object({
  challenge: WorkToDo,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex }),
});
export type ProofOfWork = z.infer<typeof ProofOfWork>;

/** A `ProofOfWork` as JSON, for calls that may require one. */
export const checkField = absentField(textField('人机验证', [0, 2_000]).optional());
