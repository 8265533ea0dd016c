import { foldName } from '../../contract/names.ts';
import { MENTION } from '../../markdown/mentions.ts';
import type { Queryable } from '../db/database.ts';

/** Names that a comment can mention; those after them stay words. */
const MOST_MENTIONS = 10;

/** A user whom a comment mentions, by the name of then: names do not change. */
export type Mention = [id: string, name: string];

/** Reads the column `mentions`. */
export const readMentions = (column: string): Mention[] =>
  column === '' ? [] : (JSON.parse(column) as Mention[]);

/** Writes the column `mentions`. */
export const writeMentions = (mentions: readonly Mention[]): string =>
  mentions.length === 0 ? '' : JSON.stringify(mentions);

/** The names after an `@` in a text, folded as accounts are compared, each once. */
function mentionedNames(text: string): string[] {
  const names = Array.from(text.matchAll(MENTION), ([, name = '']) => foldName(name));
  return [...new Set(names)].slice(0, MOST_MENTIONS);
}

/**
 * Whom a text names with an `@` of those who take part: the article's author and whoever has commented there.
 * Others are words, so that nobody can be called to a page they have nothing to do with.
 */
export async function findMentioned(
  db: Queryable,
  article: { id: string; author_id: string },
  text: string,
): Promise<Mention[]> {
  const names = mentionedNames(text);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .select(['users.id', 'users.username'])
    .where('users.username_key', 'in', names)
    .where((eb) =>
      eb.or([
        eb('users.id', '=', article.author_id),
        eb.exists(
          eb
            .selectFrom('comments')
            .select('comments.id')
            .where('comments.article_id', '=', article.id)
            .whereRef('comments.author_id', '=', 'users.id'),
        ),
      ]),
    )
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, username }) => [id, username]);
}
