import { z } from 'zod';
import { BOUNDS, COMMENT_ORDERS } from '../rules/bounds.ts';
import { byId, nothing, notice, open, signedIn } from './call.ts';
import { Comment, listOf } from '../entities.ts';
import {
  absentField,
  pageField,
  pagingFields,
  commentField,
  idField,
  listField,
  quoteField,
  requestIdField,
} from '../fields.ts';
import { checkField } from '../human-check.ts';

export const commentCalls = {
  /**
   * Without `page` and `pageSize`, returns the newest comments, limited by BOUNDS.commentsListed and
   * commentsBytes. `sort` applies to pages.
   */
  articleComments: open(
    'read',
    z.object({
      page_id: idField,
      page: absentField(pageField.optional()),
      pageSize: absentField(pagingFields.pageSize.optional()),
      sort: absentField(z.enum(COMMENT_ORDERS).catch('newest').optional()),
    }),
    z.array(Comment),
  ),
  commentCreate: signedIn(
    'write',
    z.object({
      content: commentField,
      page_id: idField,
      reply_user: z.string({ error: '被回复的用户应为文本' }).trim().default(''),
      reply_content: absentField(quoteField.default('')),
      reply_id: absentField(idField.optional()),
      request_id: requestIdField,
      check: checkField,
    }),
    Comment,
  ),
  userComments: signedIn(
    'read',
    z.object({ type: z.enum(['to_user', 'create_user']).catch('to_user'), ...pagingFields }),
    listOf(Comment),
  ),
  readComments: signedIn(
    'read',
    z.object({
      ids: listField(idField, '评论编号')
        .refine((ids) => ids.length > 0, { error: '请提供评论编号' })
        .refine((ids) => ids.length <= BOUNDS.readAtOnce, {
          error: `一次最多标记 ${BOUNDS.readAtOnce} 条评论`,
        })
        .meta({ minItems: 1, maxItems: BOUNDS.readAtOnce }),
    }),
    notice,
  ),
  unreadNum: signedIn('read', nothing, z.int()),
  commentEdit: signedIn('write', z.object({ id: idField, content: commentField }), Comment),
  commentDelete: signedIn('write', byId, notice),
} as const;
