import type { ExpressionBuilder } from 'kysely';
import type { Queryable, Trx } from '../db/database.ts';
import { LINKED_ADDRESS } from '../db/article-address.ts';
import { perform } from '../db/perform.ts';
import { literal } from '../db/prepared.ts';
import type { PushesTable } from '../db/schema/discovery-schema.ts';
import type { Schema } from '../db/schema/schema.ts';
import { PUBLIC } from '../db/visibility.ts';

export type PushEngine = PushesTable['engine'];
export type ClaimedPush = PushesTable & { address: string };

/** Schedules an article for each engine at `due`, and replaces earlier entries. */
export async function putPushes(
  trx: Trx,
  { articleId, time, due }: { articleId: string; time: number; due: number },
  engines: readonly PushEngine[],
): Promise<void> {
  const fresh = { change_time: time, due_time: due, tries: 0, problem: '' };
  await perform(
    trx,
    trx
      .insertInto('pushes')
      .values(engines.map((engine) => ({ article_id: articleId, engine, ...fresh })))
      .onConflict((conflict) => conflict.columns(['article_id', 'engine']).doUpdateSet(fresh)),
  );
}

export async function deletePushes(trx: Trx, articleId: string): Promise<void> {
  await trx.deleteFrom('pushes').where('article_id', '=', articleId).execute();
}

export async function deleteOthers(trx: Trx, engines: readonly PushEngine[]): Promise<void> {
  const others = trx.deleteFrom('pushes');
  await (engines.length === 0 ? others : others.where('engine', 'not in', engines)).execute();
}

/**
 * Claims an engine's due entries; other callers do not get them before `until`. Deletes entries of articles
 * that are not public.
 */
export async function claimPushes(
  trx: Trx,
  engine: PushEngine,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<ClaimedPush[]> {
  const due = await trx
    .selectFrom('pushes')
    .leftJoin('articles', 'articles.id', 'pushes.article_id')
    .selectAll('pushes')
    .select(['articles.is_public', LINKED_ADDRESS])
    .where('engine', '=', engine)
    .where('due_time', '<=', now)
    .orderBy('due_time')
    .limit(literal(limit))
    .execute();
  const idsOf = (rows: readonly PushesTable[]) => rows.map(({ article_id }) => article_id);
  const hidden = idsOf(due.filter(({ is_public }) => is_public !== 1));
  if (hidden.length > 0) await trx.deleteFrom('pushes').where('article_id', 'in', hidden).execute();
  const claimed = due.flatMap(({ is_public, ...row }) =>
    is_public === 1 ? { ...row, due_time: until, tries: row.tries + 1 } : [],
  );
  if (claimed.length > 0)
    await trx
      .updateTable('pushes')
      .set((eb) => ({ due_time: until, tries: eb('tries', '+', 1) }))
      .where('engine', '=', engine)
      .where('article_id', 'in', idsOf(claimed))
      .execute();
  return claimed;
}

/** Matches a claimed entry, unless the article has changed since. */
const isClaimed =
  ({ article_id, engine, change_time }: PushesTable) =>
  (eb: ExpressionBuilder<Schema, 'pushes'>) =>
    eb.and({ article_id, engine, change_time });

/** Deletes finished entries; articles changed since stay scheduled. */
export async function settlePushes(trx: Trx, rows: readonly PushesTable[]): Promise<void> {
  for (const row of rows) await trx.deleteFrom('pushes').where(isClaimed(row)).execute();
}

export async function postponePushes(trx: Trx, rows: readonly PushesTable[]): Promise<void> {
  for (const row of rows) {
    const { due_time, problem } = row;
    await trx.updateTable('pushes').set({ due_time, problem }).where(isClaimed(row)).execute();
  }
}

export const listPushes = (db: Queryable, limit: number) =>
  db
    .selectFrom('pushes')
    .innerJoin('articles', 'articles.id', 'pushes.article_id')
    .selectAll('pushes')
    .select('articles.title')
    .where('articles.is_public', '=', PUBLIC)
    .orderBy('due_time')
    .orderBy('article_id')
    .limit(literal(limit))
    .execute();
