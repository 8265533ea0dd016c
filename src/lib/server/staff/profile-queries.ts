import type { Queryable } from '../db/database.ts';
import { firstOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';

export const listSeriesOf = (db: Queryable, userId: string) =>
  db
    .selectFrom('series')
    .select(['id as _id', 'title', 'description', 'cover'])
    .where('author_id', '=', userId)
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const listDescribedBy = (db: Queryable, userId: string, limit: number) =>
  db
    .selectFrom('tags')
    .select(['id as _id', 'name', 'description'])
    .where('creator_id', '=', userId)
    .where('is_listed', '=', 1)
    .where('description', '<>', '')
    .orderBy('id', 'desc')
    .limit(literal(limit))
    .execute();

/** Public fields of an account; null if it does not exist. */
export async function findProfile(db: Queryable, userId: string) {
  const row = await firstOf(
    db
      .selectFrom('users')
      .select(['username', 'display_name', 'bio', 'website', 'links', 'avatar', 'thanks', 'ban_hides'])
      .where('id', '=', userId),
  );
  if (!row) return null;
  const { links, ban_hides, ...profile } = row;
  return { ...profile, profile_links: JSON.parse(links) as string[], is_hidden: ban_hides === 1 };
}

export const findSeries = (db: Queryable, id: string) =>
  firstOf(db.selectFrom('series').select(['title', 'description', 'cover']).where('id', '=', id));
