import { z } from 'zod';
import { ArticleListItem, Comment, listOf } from '../entities.ts';
import { pagingFields, someText } from '../fields.ts';
import { open } from './call.ts';

export type ActivityKind = 'page' | 'comment';

const activity = {
  _id: z.string(),
  create_user: z.string(),
  create_time: z.iso.datetime(),
  update_time: z.iso.datetime(),
  /** The article's or comment's id. */
  id: z.string(),
};

/** A public article or a comment under one; `content` is the article as in lists, or the comment. */
export const Activity = z.discriminatedUnion('type', [
  z.object({ ...activity, type: z.literal('page'), content: ArticleListItem }),
  z.object({ ...activity, type: z.literal('comment'), content: Comment }),
]);
export type Activity = z.infer<typeof Activity>;

/** An absent or unknown type stands for all kinds, an absent user for all users. */
const scope = { type: z.enum(['', 'page', 'comment']).catch(''), create_user: someText };

export const activityCalls = {
  activityList: open('read', z.object({ ...scope, ...pagingFields }), listOf(Activity)),
  activityNum: open('read', z.object(scope), z.int()),
};
