import { z } from 'zod';
import { read, staff } from './call.ts';
import { listOf } from '../entities.ts';
import { pagingFields, textField } from '../fields.ts';
import { choice, instant, string } from '../titled.ts';

/** Client address and account of a saved post. */
export const PostOrigin = z.object({
  kind: choice('种类', ['article', 'comment', 'friend']),
  id: string('编号'),
  /** The account's name at that time. */
  username: string('用户名，访客的是空的'),
  address: string('地址'),
  create_time: instant('新建的时间'),
});
export type PostOrigin = z.infer<typeof PostOrigin>;

export const originCalls = {
  /** Records of an account name, an address, or the id of an item. Each reading is audited. */
  postOrigins: read(staff('origins.read'), 'POST /api/staff/origins', '谁在什么地址发表了什么', {
    description: '每次查看都会记入操作记录。',
    input: z.object({ keywords: textField('关键词', [1, 100]), ...pagingFields }),
    output: listOf(PostOrigin),
  }),
};
