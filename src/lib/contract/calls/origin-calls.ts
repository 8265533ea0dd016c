import { z } from 'zod';
import { listOf } from '../entities.ts';
import { pagingFields, textField } from '../fields.ts';
import { staff } from './call.ts';

/** Client address and account of a saved post. */
export const PostOrigin = z.object({
  kind: z.enum(['article', 'comment']),
  id: z.string(),
  /** The account's name at that time. */
  username: z.string(),
  address: z.string(),
  create_time: z.iso.datetime(),
});
export type PostOrigin = z.infer<typeof PostOrigin>;

export const originCalls = {
  /** Records of an account name, an address, or the id of an article or comment. Each reading is audited. */
  postOrigins: staff(
    'read',
    'origins.read',
    z.object({ keywords: textField('关键词', [1, 100]), ...pagingFields }),
    listOf(PostOrigin),
  ),
};
