import { createCommentList } from '../comment-list.ts';
import type { Handlers } from '../handler.ts';
import type { CachedAnswers } from '../cached-answers.ts';
import type { App, Services } from '../../services.ts';

export const commentHandlers = ({ comments }: Services, cache: App['pageCache'], cached: CachedAnswers) =>
  ({
    articleComments: { respond: createCommentList({ comments, cache, cached }) },
    commentCreate: ({ input, viewer }) => comments.create(input, viewer),
    userComments: ({ input, viewer }) => comments.ofUser(input.type, input, viewer),
    readComments: async ({ input, viewer }) => {
      await comments.markRead(input.ids, viewer);
      return '已标记为已读';
    },
    unreadNum: ({ viewer }) => comments.countUnread(viewer),
    commentEdit: ({ input, viewer }) => comments.edit(input, viewer),
    commentDelete: async ({ input, viewer }) => {
      await comments.remove(input.id, viewer);
      return '评论已删除';
    },
  }) satisfies Partial<Handlers>;
