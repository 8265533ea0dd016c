import { z } from 'zod';
import { byId, open, read, signedIn, write } from './call.ts';
import { Comment, listOf } from '../entities.ts';
import {
  absentField,
  commentField,
  idField,
  idList,
  pageField,
  pagingFields,
  quoteField,
  requestIdField,
} from '../fields.ts';
import { checkField } from '../human-check.ts';
import { BOUNDS, COMMENT_ORDERS } from '../rules/bounds.ts';
import { choice } from '../titled.ts';

export const commentCalls = {
  articleComments: read(open('comments:read'), 'POST /api/comment/getpagecommentlist', '一篇文章的评论', {
    description: '没写 page 时是最新的 500 条，不超过 1 MB；写了就按页，每条有 position，从最早的一条数起。',
    input: z.object({
      page_id: idField.meta({ title: '文章的编号' }),
      page: absentField(pageField.optional()),
      pageSize: absentField(pagingFields.pageSize.optional()),
      sort: absentField(choice('排序', COMMENT_ORDERS).catch('newest').optional()),
    }),
    output: z.array(Comment),
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
  commentCreate: write(signedIn('comments:write'), 'POST /api/comment/create', '发表评论或回复', {
    description:
      '带 request_id 时，重复发送只有一条。reply_id 是被回复的评论；没有它时，按 reply_user 和 reply_content 寻找。',
    input: z.object({
      content: commentField,
      page_id: idField.meta({ title: '文章的编号' }),
      reply_user: z
        .string({ error: '被回复的用户应为文本' })
        .trim()
        .meta({ title: '被回复的用户' })
        .default(''),
      reply_content: absentField(quoteField.default('')),
      reply_id: absentField(idField.meta({ title: '被回复的评论的编号' }).optional()),
      request_id: requestIdField,
      check: checkField,
    }),
    output: Comment,
    refusals: [
      'ARTICLE_NOT_FOUND',
      'COMMENTS_CLOSED',
      'REPLY_USER_NOT_FOUND',
      'QUOTA_REACHED',
      'WORD_REFUSED',
      'OUTSIDE_REFUSED',
      'CHECK_NEEDED',
      'CHECK_FAILED',
      'ACCOUNT_FULL',
    ],
    writes: ['comment.content'],
  }),
  userComments: read(
    signedIn('comments:read'),
    'POST /api/comment/getusercommentlist',
    '自己收到的或写的评论',
    {
      description: 'to_user 是收到的评论和回复，create_user 是自己写的。',
      input: z.object({
        type: choice('类型', ['to_user', 'create_user']).catch('to_user'),
        ...pagingFields,
      }),
      output: listOf(Comment),
    },
  ),
  readComments: read(
    signedIn('comments:write'),
    'POST /api/comment/updatecommentstatus',
    '把收到的评论标为已读',
    {
      input: z.object({
        ids: idList('评论编号', '请提供评论编号', `一次最多标记 ${BOUNDS.readAtOnce} 条评论`),
      }),
    },
  ),
  unreadNum: read(signedIn('comments:read'), 'GET /api/comment/getUnreadCommentNum', '未读评论的条数', {
    output: z.int(),
  }),
  commentEdit: write(signedIn('comments:write'), 'POST /api/comment/edit', '修改自己的评论', {
    description: '发表后 15 分钟内可以修改。',
    input: z.object({ id: idField.meta({ title: '编号' }), content: commentField }),
    output: Comment,
    refusals: [
      'COMMENT_NOT_FOUND',
      'NOT_YOURS',
      'EDIT_TOO_LATE',
      'QUOTA_REACHED',
      'WORD_REFUSED',
      'OUTSIDE_REFUSED',
      'RESUBMIT_UNCHANGED',
    ],
    writes: ['comment.content'],
    isOptional: true,
  }),
  commentDelete: write(signedIn('comments:write'), 'POST /api/comment/delete', '删除评论', {
    description: '写评论的人或者文章的作者可以删除。',
    input: byId,
    refusals: ['COMMENT_NOT_FOUND', 'NOT_YOURS'],
    writes: [],
    isOptional: true,
  }),
};
