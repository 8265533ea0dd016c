import { calls } from '../../contract/calls.ts';
import { createCommentList } from './comment-list.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { bytesRoute, route, type Route } from './route.ts';
import type { App, Services } from '../services.ts';

/** Comments. */
export const commentRoutes = (
  { comments }: Services,
  cache: App['pageCache'],
  kept: KeptAnswers,
): Route[] => [
  bytesRoute(calls.articleComments, createCommentList({ comments, cache, kept })),
  route(calls.commentCreate, ({ input, viewer }) => comments.create(input, viewer)),
  route(calls.userComments, ({ input, viewer }) => comments.ofUser(input.type, input, viewer)),
  route(calls.readComments, async ({ input, viewer }) => {
    await comments.markRead(input.ids, viewer);
    return '已标记为已读';
  }),
  route(calls.unreadNum, ({ viewer }) => comments.countUnread(viewer)),
  route(calls.commentDelete, async ({ input, viewer }) => {
    await comments.remove(input.id, viewer);
    return '评论已删除';
  }),
];
