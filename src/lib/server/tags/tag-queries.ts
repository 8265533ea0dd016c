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
const HIDDEN = sql.lit<Flag>(0);

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

/** The listed tag of that name, else `userId`'s own; null when there is neither. */
export async function findTag(db: Queryable, name: string, userId: string | null): Promise<TagRow | null> {
  const named = selectTags(db).where('tags.name', '=', name);
  const listed = await named.where('tags.is_listed', '=', LISTED).executeTakeFirst();
  if (listed || userId === null) return listed ?? null;
  const own = named.where('tags.is_listed', '=', HIDDEN).where('tags.creator_id', '=', userId);
  return (await own.executeTakeFirst()) ?? null;
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

/** Listed tags used most, then, half of `limit` at most, those that only `userId` used, newest first. */
export async function listTagNames(db: Queryable, userId: string | null, limit: number): Promise<string[]> {
  const names = db.selectFrom('tags').select('name');
  const own =
    userId === null
      ? []
      : await names
          .where('is_listed', '=', HIDDEN)
          .where('creator_id', '=', userId)
          .orderBy('id', 'desc')
          .limit(literal(limit / 2))
          .execute();
  const listed = await names
    .where('is_listed', '=', LISTED)
    .orderBy('page_num', 'desc')
    .orderBy('id', 'desc')
    .limit(literal(limit - own.length))
    .execute();
  return [...listed, ...own].map((row) => row.name);
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

/** Shows to everybody a tag that was its creator's alone. */
export async function listTag(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('tags').set({ is_listed: 1 }).where('id', '=', id).execute();
  await addToListedCount(trx);
}

/** Files what is under hidden tags of that name under the tag `id`, which is listed, and removes them. */
export async function absorbHidden(trx: Trx, name: string, id: string): Promise<void> {
  const hidden = await trx
    .selectFrom('tags')
    .select('id')
    .where('name', '=', name)
    .where('is_listed', '=', HIDDEN)
    .execute();
  for (const { id: former } of hidden) {
    await trx.updateTable('article_tags').set({ tag_id: id }).where('tag_id', '=', former).execute();
    await trx.deleteFrom('tags').where('id', '=', former).execute();
  }
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
