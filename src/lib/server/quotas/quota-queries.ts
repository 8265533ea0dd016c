import { sql } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { countChanged, firstValue } from '../db/lists.ts';
import type { StoredCounter } from '../db/stored-counters.ts';

/** A counter of a user and a kind since `span_start` (milliseconds since the epoch). */
export interface Count {
  span_start: number;
  user_id: string;
  kind: string;
}

/** Adds `used` to each of several counters; returns their new values. */
export const addToCounts = (
  trx: Trx,
  counts: readonly (Count & { used: number })[],
): Promise<{ kind: string; used: number }[]> =>
  trx
    .insertInto('quota_uses')
    .values(counts)
    .onConflict((conflict) =>
      conflict
        .columns(['span_start', 'user_id', 'kind'])
        .doUpdateSet((eb) => ({ used: eb('quota_uses.used', '+', eb.ref('excluded.used')) })),
    )
    .returning(['kind', 'used'])
    .execute();

export async function findCount(db: Queryable, { span_start, user_id, kind }: Count): Promise<number> {
  const uses = db.selectFrom('quota_uses').select('used').where('span_start', '=', span_start);
  return (await firstValue(uses.where('user_id', '=', user_id).where('kind', '=', kind))) ?? 0;
}

export const deleteCountsBefore = (trx: Trx, instant: number): Promise<number> =>
  countChanged(trx.deleteFrom('quota_uses').where('span_start', '<', instant));

/** Adds to the bytes a user has stored and returns the total; 0 if there is no such user. */
export async function addToStored(trx: Trx, userId: string, bytes: number): Promise<number> {
  const added = trx.updateTable('users').set((eb) => ({ stored_bytes: eb('stored_bytes', '+', bytes) }));
  return (await firstValue(added.where('id', '=', userId).returning('stored_bytes'))) ?? 0;
}

export const findStored = async (db: Queryable, userId: string): Promise<number> =>
  (await firstValue(db.selectFrom('users').select('stored_bytes').where('id', '=', userId))) ?? 0;

/** The number that `addToStored` maintains. Both engines know a text's bytes without reading it. */
export const STORED_NUMBERS: StoredCounter = {
  table: 'users',
  key: 'id',
  column: 'stored_bytes',
  truth: sql`select owner_id as key, sum(bytes) as value from (
    select owner_id, bytes from files
    union all
    select owner_id, picture_variants.bytes from picture_variants join files on files.name = picture
    union all
    select author_id, octet_length(content) from articles join article_bodies on article_id = articles.id
    union all
    select author_id, octet_length(content) from articles join article_revisions on article_id = articles.id
  ) as parts group by owner_id`,
};
