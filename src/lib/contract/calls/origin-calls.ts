import { z } from 'zod';
import { read, staff } from './call.ts';
import { listOf } from '../entities.ts';
import { pagingFields, textField } from '../fields.ts';

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
  postOrigins: read(staff('origins.read'), 'POST /api/staff/origins', '谁在什么地址发表了什么', {
    description: '每次查看都会记入操作记录。',
    input: z.object({ keywords: textField('关键词', [1, 100]), ...pagingFields }),
    output: listOf(PostOrigin),
  }),
};
