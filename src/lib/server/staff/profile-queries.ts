import type { Queryable } from '../db/database.ts';
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

export const findProfile = (db: Queryable, userId: string) =>
  db
    .selectFrom('users')
    .select(['username', 'display_name', 'bio', 'website', 'links', 'avatar', 'ban_hides'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

export const findTagCreator = (db: Queryable, id: string) =>
  db.selectFrom('tags').select(['creator_id', 'name']).where('id', '=', id).executeTakeFirst();
