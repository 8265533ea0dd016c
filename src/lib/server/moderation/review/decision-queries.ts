import type { Queryable, Trx } from '../../db/database.ts';
import { firstOf } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { ModerationDecisionsTable } from '../../db/schema/moderation-schema.ts';

type Kind = ModerationDecisionsTable['kind'];

type LastDecision = Pick<ModerationDecisionsTable, 'state' | 'note' | 'create_time'>;

const MAX_LISTED = 50;

/** Adds a decision. Only the newest decision of an item has the text that it judged. */
export async function insertDecision(trx: Trx, row: ModerationDecisionsTable): Promise<void> {
  await trx
    .updateTable('moderation_decisions')
    .set({ title: '', content: '' })
    .where('kind', '=', row.kind)
    .where('item_id', '=', row.item_id)
    .execute();
  await trx.insertInto('moderation_decisions').values(row).execute();
}

const selectNewest = (db: Queryable, kind: Kind) =>
  db
    .selectFrom('moderation_decisions')
    .where('kind', '=', kind)
    .orderBy('moderation_decisions.create_time', 'desc')
    .orderBy('moderation_decisions.id', 'desc');

/** Decisions on an item, newest first, with the name of staff; '' for the command line. */
export async function listDecisions(db: Queryable, kind: Kind, id: string) {
  const rows = await selectNewest(db, kind)
    .leftJoin('users', 'users.id', 'moderation_decisions.actor_id')
    .select(['state', 'note', 'moderation_decisions.create_time', 'users.username as actor'])
    .where('item_id', '=', id)
    .limit(literal(MAX_LISTED))
    .execute();
  return rows.map((row) => ({ ...row, actor: row.actor ?? '' }));
}

export const findLastDecision = (
  db: Queryable,
  kind: Kind,
  id: string,
): Promise<ModerationDecisionsTable | null> =>
  firstOf(selectNewest(db, kind).selectAll().where('item_id', '=', id).limit(literal(1)));

/** Returns the text that staff approved, if the newest decision is an approval with its text; else null. */
export async function findApproved(db: Queryable, kind: Kind, id: string) {
  const last = await findLastDecision(db, kind, id);
  return last?.state === 'shown' && last.content !== '' ? last : null;
}

/** The newest decision of each of `ids`, without its text. */
export async function findLastDecisions(db: Queryable, kind: Kind, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, LastDecision>();
  const rows = await selectNewest(db, kind)
    .select(['item_id', 'state', 'note', 'create_time'])
    .where('item_id', 'in', [...ids])
    .execute();
  return new Map<string, LastDecision>(rows.toReversed().map((row) => [row.item_id, row]));
}

export const findArticleText = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select(['title', 'content'])
      .where('articles.id', '=', id),
  );
