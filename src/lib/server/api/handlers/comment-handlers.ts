import { createCommentList } from '../comment-list.ts';
import { answerWith, type Handlers } from '../handler.ts';
import type { CachedAnswers } from '../cached-answers.ts';
import type { Services } from '../../services.ts';

export const commentHandlers = ({ comments }: Services, cached: CachedAnswers) =>
  ({
    articleComments: { respond: createCommentList(comments, cached) },
    commentCreate: ({ input, viewer }) => comments.create(input, viewer),
    userComments: ({ input, viewer }) => comments.ofUser(input.type, input, viewer),
    readComments: answerWith('已标记为已读', ({ input, viewer }) => comments.markRead(input.ids, viewer)),
    unreadNum: ({ viewer }) => comments.countUnread(viewer),
    commentEdit: ({ input, viewer }) => comments.edit(input, viewer),
    commentDelete: answerWith('评论已删除', ({ input, viewer }) => comments.remove(input.id, viewer)),
  }) satisfies Partial<Handlers>;
