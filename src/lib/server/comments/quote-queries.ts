import { countCharacters } from '../../contract/rules/bounds.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { firstValue } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';

const TABLES = ['comments', 'withheld_comments'] as const;

interface Quote {
  articleId: string;
  authorId: string;
  quote: string;
  /** Position of the reply: the quoted comment is older. */
  before?: Place;
}

/** Maximum comments with the same text that are read to find the newest. */
const MAX_SAME_COMMENTS = 100;

type Place = { create_time: number; id: string };
const isNewer = (one: Place, other: Place): boolean =>
  one.create_time > other.create_time || (one.create_time === other.create_time && one.id > other.id);

const withoutReturns = (text: string) => text.replaceAll('\r\n', '\n');

/**
 * Finds the user's newest comment under the article whose text equals `quote`, ignoring line-break style
 * (forms send CRLF); or null. The length range narrows the index scan.
 */
export async function findQuoted(
  db: Queryable,
  { articleId, authorId, quote, before }: Quote,
  table: (typeof TABLES)[number] = 'comments',
): Promise<string | null> {
  const wanted = withoutReturns(quote);
  const length = countCharacters(wanted);
  let query = db
    .selectFrom(table)
    .select(['id', 'create_time'])
    .where('article_id', '=', articleId)
    .where('author_id', '=', authorId)
    .where((eb) => {
      const found = eb.fn<number>('length', ['content']);
      return eb.between(found, length, length + wanted.split('\n').length - 1);
    })
    .where((eb) => eb(eb.fn('replace', ['content', eb.val('\r\n'), eb.val('\n')]), '=', wanted))
    .limit(literal(MAX_SAME_COMMENTS));
  if (before)
    query = query.where((eb) =>
      eb(eb.refTuple('create_time', 'id'), '<', eb.tuple(before.create_time, before.id)),
    );
  const found = await query.execute();
  // Sorted here: no index has this order, so the database would have to sort.
  return found.toSorted((one, other) => (isNewer(one, other) ? -1 : 1))[0]?.id ?? null;
}

/** Returns `id` if it is a visible comment of the user under that article, otherwise null. */
export const findReplied = (
  db: Queryable,
  { articleId, authorId, id }: { articleId: string; authorId: string; id: string },
): Promise<string | null> =>
  firstValue(
    db
      .selectFrom('comments')
      .select('id')
      .where('id', '=', id)
      .where('article_id', '=', articleId)
      .where('author_id', '=', authorId),
  );

/**
 * Makes the comment `id`, if it quotes none, quote the newest earlier one with the text `quote`, visible or
 * not.
 */
export async function resolveQuote(trx: Trx, id: string, quote: string): Promise<void> {
  for (const table of TABLES) {
    const reply = await trx
      .selectFrom(table)
      .select(['article_id', 'reply_user_id', 'create_time'])
      .where('id', '=', id)
      .where('reply_comment_id', 'is', null)
      .executeTakeFirst();
    if (!reply || reply.reply_user_id === null) continue;
    const { article_id: articleId, reply_user_id: authorId, create_time } = reply;
    const asked = { articleId, authorId, quote, before: { create_time, id } };
    const found = (await findQuoted(trx, asked)) ?? (await findQuoted(trx, asked, 'withheld_comments'));
    if (found !== null)
      await trx.updateTable(table).set({ reply_comment_id: found }).where('id', '=', id).execute();
  }
}
