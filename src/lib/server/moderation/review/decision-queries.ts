import {
  FIELD_NAMES,
  fieldsFromColumns,
  isSameValue,
  valueOf,
  type Authored,
  type FieldName,
} from '../../../contract/rules/authored-fields.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { ModerationDecisionsTable } from '../../db/schema/moderation-schema.ts';

type Kind = ModerationDecisionsTable['kind'];

type LastDecision = Pick<ModerationDecisionsTable, 'state' | 'note' | 'create_time'>;

const MAX_LISTED = 50;

/** Text of an article or comment that staff judges. */
export type JudgedFields = Pick<ModerationDecisionsTable, 'title' | 'content' | 'attributes'>;

const ATTRIBUTE_NAMES = FIELD_NAMES.filter((name) => !['title', 'content', 'secret'].includes(name));

/** Returns the fields besides title and content that readers see, as a decision stores them. */
export const attributesOf = (fields: Partial<Authored>): string =>
  JSON.stringify(Object.fromEntries(ATTRIBUTE_NAMES.map((name) => [name, valueOf(fields, name)])));

/** Fields of a decision; decisions before migration 47 have none, earlier releases stored a part of them. */
export const attributesIn = ({ attributes }: Pick<JudgedFields, 'attributes'>): Partial<Authored> =>
  attributes === '' ? {} : (JSON.parse(attributes) as Partial<Authored>);

/** Whether an article still has the text that staff judged. */
export function isSameText(judged: JudgedFields, text: JudgedFields): boolean {
  const [then, now] = [attributesIn(judged), attributesIn(text)];
  const isKept = (Object.keys(then) as FieldName[]).every((name) =>
    isSameValue(valueOf(then, name), valueOf(now, name)),
  );
  return judged.title === text.title && judged.content === text.content && isKept;
}

/** The text of a decision on a change that staff refused: readers keep the text judged before. */
export const NO_TEXT: JudgedFields = { title: '', content: '', attributes: '' };

/** Adds a decision. Only the newest decision with a text keeps it. */
export async function insertDecision(trx: Trx, row: ModerationDecisionsTable): Promise<void> {
  if (row.content !== '')
    await trx
      .updateTable('moderation_decisions')
      .set(NO_TEXT)
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

/** Returns the newest decision whose text is kept. */
export const findJudged = (db: Queryable, kind: Kind, id: string): Promise<ModerationDecisionsTable | null> =>
  firstOf(
    selectNewest(db, kind).selectAll().where('item_id', '=', id).where('content', '<>', '').limit(literal(1)),
  );

/** Returns the text that staff approved, if the last text that it judged was approved; else null. */
export async function findApproved(db: Queryable, kind: Kind, id: string): Promise<JudgedFields | null> {
  const last = await findJudged(db, kind, id);
  return last?.state === 'shown' ? last : null;
}

/** The newest decision of each of `ids`, without its text. */
export async function findLastDecisions(db: Queryable, kind: Kind, ids: readonly string[]) {
  const decisions = selectNewest(db, kind).select(['item_id', 'state', 'note', 'create_time']);
  const rows = await among(ids, (some) => decisions.where('item_id', 'in', some));
  return new Map<string, LastDecision>(rows.toReversed().map((row) => [row.item_id, row]));
}

export async function findArticleText(db: Queryable, id: string): Promise<JudgedFields | null> {
  const row = await firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select(FIELD_NAMES)
      .where('articles.id', '=', id),
  );
  if (!row) return null;
  const { title, content } = row;
  return { title, content, attributes: attributesOf(fieldsFromColumns(row, FIELD_NAMES)) };
}
