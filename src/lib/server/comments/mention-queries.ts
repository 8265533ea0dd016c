import { foldName } from '../../contract/rules/names.ts';
import { MENTION } from '../../markdown/syntax/mentions.ts';
import type { Queryable } from '../db/database.ts';
import { among } from '../db/lists.ts';

/** Maximum mentions per comment; further names stay plain text. */
const MAX_MENTIONS = 10;

export type Mention = [id: string, name: string];

export const readMentions = (column: string): Mention[] =>
  column === '' ? [] : (JSON.parse(column) as Mention[]);

export const writeMentions = (mentions: readonly Mention[]): string =>
  mentions.length === 0 ? '' : JSON.stringify(mentions);

function mentionedNames(text: string): string[] {
  const names = Array.from(text.matchAll(MENTION), ([, name = '']) => foldName(name));
  return [...new Set(names)].slice(0, MAX_MENTIONS);
}

/**
 * Finds users named with an `@` who take part: the article's author, and users who have commented there.
 * Other names stay plain text, so users cannot be called to pages that do not concern them.
 */
export async function findMentioned(
  db: Queryable,
  article: { id: string; author_id: string },
  text: string,
): Promise<Mention[]> {
  const parties = db
    .selectFrom('users')
    .select(['users.id', 'users.username'])
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
    .orderBy('users.id');
  const rows = await among(mentionedNames(text), (some) => parties.where('users.username_key', 'in', some));
  return rows.map(({ id, username }) => [id, username]);
}
