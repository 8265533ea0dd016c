import { createCommentList } from '../comment-list.ts';
import { answerWith, type Handlers } from '../handler.ts';
import type { CachedAnswers } from '../cached-answers.ts';
import type { Services } from '../../services.ts';

export const commentHandlers = ({ comments, origins }: Services, cached: CachedAnswers) =>
  ({
    articleComments: { respond: createCommentList(comments, cached) },
    commentCreate: async ({ input, viewer, from: { address } }) => {
      const comment = await comments.create(input, viewer);
      await origins.note({ kind: 'comment', id: comment._id, account: viewer, address });
      return comment;
    },
    userComments: ({ input, viewer }) => comments.ofUser(input.type, input, viewer),
    readComments: answerWith('已标记为已读', ({ input, viewer }) => comments.markRead(input.ids, viewer)),
    unreadNum: ({ viewer }) => comments.countUnread(viewer),
    commentEdit: async ({ input, viewer, from: { address } }) => {
      const comment = await comments.edit(input, viewer);
      await origins.note({ kind: 'comment', id: input.id, account: viewer, address });
      return comment;
    },
    commentDelete: answerWith('评论已删除', ({ input, viewer }) => comments.remove(input.id, viewer)),
  }) satisfies Partial<Handlers>;
