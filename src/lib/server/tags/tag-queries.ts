import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { Flag, TagsTable } from '../db/schema.ts';

export type TagRow = Pick<
  TagsTable,
  'id' | 'name' | 'description' | 'creator_id' | 'create_time' | 'update_time' | 'is_listed'
> & {
  page_num: number;
  username: string;
};

// A literal, so that the partial index is used (see article-queries.ts).
const LISTED = sql.lit<Flag>(1);

const selectTags = (db: Queryable) =>
  db
    .selectFrom('tags')
    .innerJoin('users', 'users.id', 'tags.creator_id')
    .select([
      'tags.id',
      'tags.name',
      'tags.description',
      'tags.creator_id',
      'tags.create_time',
      'tags.update_time',
    ])
    .select(['tags.page_num', 'tags.is_listed', 'users.username']);

/** The tag of that name, listed or not; null when there is none. */
export async function findTag(db: Queryable, name: string): Promise<TagRow | null> {
  return (await selectTags(db).where('tags.name', '=', name).executeTakeFirst()) ?? null;
}

/** Listed tags, those of most public articles first. */
export async function listTags(db: Queryable, page: { offset: number; limit: number }): Promise<TagRow[]> {
  return selectTags(db)
    .where('tags.is_listed', '=', LISTED)
    .orderBy('tags.page_num', 'desc')
    .orderBy('tags.id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
}

/** Names of every listed tag and of those only `userId` has used, most used first. */
export async function listTagNames(db: Queryable, userId: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('tags')
    .select('name')
    .where((eb) =>
      userId === null
        ? eb('is_listed', '=', LISTED)
        : eb.or([eb('is_listed', '=', LISTED), eb('creator_id', '=', userId)]),
    )
    .orderBy('page_num', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => row.name);
}

/** How many tags are listed. */
export async function countTags(db: Queryable): Promise<number> {
  return (
    (await db.selectFrom('counters').select('value').where('name', '=', 'listed_tags').executeTakeFirst())
      ?.value ?? 0
  );
}

/** Adds a tag; the number of listed tags follows. */
export async function insertTag(trx: Trx, tag: Omit<TagsTable, 'page_num'>): Promise<void> {
  await trx.insertInto('tags').values(tag).execute();
  if (tag.is_listed === 1) await addToListedCount(trx);
}

/** Shows to everybody a tag that was its creator's alone; `changes` go along. */
export async function listTag(
  trx: Trx,
  id: string,
  changes: Partial<Pick<TagsTable, 'description' | 'creator_id' | 'create_time' | 'update_time'>> = {},
): Promise<void> {
  await trx
    .updateTable('tags')
    .set({ ...changes, is_listed: 1 })
    .where('id', '=', id)
    .execute();
  await addToListedCount(trx);
}

/** Adds to the number of public articles of each tag. */
export async function addToTagCounts(trx: Trx, ids: readonly string[], delta: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('tags')
    .set((eb) => ({ page_num: eb('page_num', '+', delta) }))
    .where('id', 'in', [...ids])
    .execute();
}

async function addToListedCount(trx: Trx): Promise<void> {
  await trx
    .updateTable('counters')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', 'listed_tags')
    .execute();
}
