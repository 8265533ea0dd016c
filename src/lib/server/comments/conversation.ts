import type { CommentsTable } from '../db/schema/schema.ts';

export type ThreadRow = Pick<CommentsTable, 'id' | 'author_id' | 'reply_user_id' | 'reply_comment_id'>;

/**
 * Returns the ids of an article's comments in the order of conversations: comments that answer none, newest
 * first, each followed by its answers and the answers to those, oldest first.
 * @param rows all comments of the article, newest first
 */
export function inConversation(rows: readonly ThreadRow[]): string[] {
  const known = new Map<string, { authorId: string; answers: string[] }>();
  const starts: string[][] = [];
  for (const { id, author_id: authorId, reply_user_id, reply_comment_id } of rows.toReversed()) {
    // The same rule as `isQuoted`, so a comment is below another one if it quotes it.
    const quoted = reply_comment_id === null ? undefined : known.get(reply_comment_id);
    const answers = quoted?.authorId === reply_user_id ? quoted.answers : null;
    if (answers) answers.push(id);
    const conversation = answers ?? [id];
    if (!answers) starts.push(conversation);
    known.set(id, { authorId, answers: conversation });
  }
  return starts.toReversed().flat();
}
