import type { Queryable, Trx } from '../db/database.ts';
import { countOf, firstOf, TOTAL, valuesOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';

/** Sets the ban of an account; `until` null ends it. */
export async function updateBan(
  trx: Trx,
  id: string,
  ban: { until: number | null; reason: string; hides: boolean },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ banned_until: ban.until, ban_reason: ban.reason, ban_hides: ban.hides ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

export const findBan = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('users')
      .select(['username', 'banned_until as until', 'ban_reason as reason', 'ban_hides as hides'])
      .where('id', '=', id),
  );

/** Ids of accounts whose content is still hidden although their ban is over at `instant` or was ended. */
export const listOver = (db: Queryable, instant: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('users')
      .select('id')
      .where('ban_hides', '=', 1)
      .where((eb) => eb.or([eb('banned_until', 'is', null), eb('banned_until', '<=', instant)])),
  );

/** Numbers of public articles and comments of an account. */
export async function countShownOf(db: Queryable, authorId: string) {
  const articles = db
    .selectFrom('articles')
    .select(TOTAL)
    .where('author_id', '=', authorId)
    .where('is_public', '=', 1);
  const comments = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .select(TOTAL)
    .where('comments.author_id', '=', authorId)
    .where('articles.is_public', '=', 1);
  return { articles: await countOf(articles), comments: await countOf(comments) };
}

export const listPublicOf = (db: Queryable, authorId: string, limit: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('articles')
      .select('id')
      .where('author_id', '=', authorId)
      .where('is_public', '=', 1)
      .limit(literal(limit)),
  );

export const listShownOf = (db: Queryable, authorId: string, limit: number): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('comments')
      .innerJoin('articles', 'articles.id', 'comments.article_id')
      .select('comments.id')
      .where('comments.author_id', '=', authorId)
      .where('articles.is_public', '=', 1)
      .limit(literal(limit)),
  );

const selectHidden = (db: Queryable, kind: 'article' | 'comment') =>
  db
    .selectFrom('withheld_items')
    .where('withheld_items.kind', '=', kind)
    .where('withheld_items.state', '=', 'hidden')
    .where('withheld_items.hidden_by_ban', '=', 1);

export const listHiddenArticles = (db: Queryable, authorId: string, limit: number): Promise<string[]> =>
  valuesOf(
    selectHidden(db, 'article')
      .innerJoin('articles', 'articles.id', 'withheld_items.id')
      .select('articles.id')
      .where('articles.author_id', '=', authorId)
      .limit(literal(limit)),
  );

export const listHiddenComments = (db: Queryable, authorId: string, limit: number): Promise<string[]> =>
  valuesOf(
    selectHidden(db, 'comment')
      .innerJoin('withheld_comments', 'withheld_comments.id', 'withheld_items.id')
      .select('withheld_comments.id')
      .where('withheld_comments.author_id', '=', authorId)
      .limit(literal(limit)),
  );
