import { resolveQuote } from '../comments/quote-queries.ts';
import type { Trx } from '../db/database.ts';
import { Comment, LISTS, Reads } from '../export/format.ts';
import { asClean } from '../shared/clean-text.ts';
import * as queries from '../export/reimport-queries.ts';
import { entriesOf, lose, withheldColumns, type ReimportRun } from './reimport-run.ts';

/** Imports comments with read marks; hidden and pending ones stay so. */
export async function importComments(run: ReimportRun): Promise<void> {
  const { db, report, reinstate } = run;
  for await (const comments of entriesOf(run, LISTS.comments, Comment)) {
    const known = await queries.knownComments(
      db.read,
      comments.map(({ id }) => id),
    );
    const articles = await reinstate.knownArticles([...new Set(comments.map(({ article }) => article))]);
    const fresh: Comment[] = [];
    for (const comment of comments) {
      const what = `${comment.author_name} 在《${comment.title}》下的评论（${comment.id}）`;
      if (known.has(comment.id)) report.counts.comments.same++;
      else if (!run.users.has(comment.author)) lose(run, 'comments', what, '写它的用户没有导入');
      else if (!run.articleIds.has(comment.article) && !articles.has(comment.article))
        lose(run, 'comments', what, '它的文章不在这里');
      else fresh.push(comment);
    }
    report.counts.comments.created += fresh.length;
    if (!run.isDryRun && fresh.length > 0) await db.write((trx) => insertAll(trx, run, fresh));
  }
  if (!run.isDryRun) await resolveQuotes(run);
}

/** Finds the comments that exports of an older version quote only by their text, after all are imported. */
async function resolveQuotes(run: ReimportRun): Promise<void> {
  for await (const comments of entriesOf(run, LISTS.comments, Comment)) {
    const unnamed = comments.filter(({ quote, reply_to }) => quote !== '' && !reply_to?.comment);
    if (unnamed.length === 0) continue;
    await run.db.write(async (trx) => {
      for (const { id, quote } of unnamed) await resolveQuote(trx, id, quote);
    });
  }
}

async function insertAll(trx: Trx, run: ReimportRun, comments: readonly Comment[]): Promise<void> {
  for (const comment of comments) await insert(trx, run, comment);
  // Affects many articles' comments and many users' unread counts.
  run.events.emit(trx, { type: 'anything' });
}

async function insert(trx: Trx, { users, origins }: ReimportRun, comment: Comment): Promise<void> {
  const here = (id: string | undefined) => (id === undefined ? undefined : users.get(id)?.id);
  const author_id = here(comment.author) ?? '';
  const { request_id = null, withheld } = comment;
  const isTaken = request_id !== null && (await queries.isRequestKnown(trx, author_id, request_id));
  const mentions = comment.mentions.map(([id, name]): [string, string] => [here(id) ?? id, name]);
  const row = {
    id: comment.id,
    article_id: comment.article,
    author_id,
    content: asClean(comment.content, 'operator'),
    reply_user_id: here(comment.reply_to?.user) ?? null,
    reply_comment_id: comment.reply_to?.comment ?? null,
    create_time: Date.parse(comment.created),
    request_id: isTaken ? null : request_id,
    edit_time: comment.edited === null ? null : Date.parse(comment.edited),
    mentions: mentions.length === 0 ? '' : JSON.stringify(mentions),
  };
  const marks = comment.recipients.flatMap(({ user, is_read }): [string, 0 | 1][] => {
    const id = here(user);
    return id === undefined ? [] : [[id, is_read ? 1 : 0]];
  });
  await origins.note(trx, 'comment', row.id, { id: author_id, origin: 'import' });
  if (!withheld) return queries.insertFormerComment(trx, row, marks);
  return queries.insertFormerWithheld(trx, row, marks, withheldColumns(withheld));
}

export async function importReads(run: ReimportRun): Promise<void> {
  for await (const rows of entriesOf(run, LISTS.reads, Reads))
    if (!run.isDryRun) await run.reinstate.putReads(rows);
}
