import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Role } from '../../contract/rules/permissions.ts';
import type { WithheldState } from '../../contract/rules/moderation.ts';
import type { ContentState } from '../../contract/calls/staff-calls.ts';
import type { Queryable } from '../db/database.ts';
import { literal } from '../db/prepared.ts';
import type { Schema } from '../db/schema/schema.ts';

export interface Part {
  offset: number;
  limit: number;
}

/** Whether a text contains `keywords`, ignoring the case of Latin letters. */
function holds(column: string, keywords: string): Expression<SqlBool> {
  const pattern = `%${keywords.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

export function selectUsers(
  db: Queryable,
  filter: { keywords: string; role?: Role | undefined; banned?: boolean | undefined; now: number },
) {
  let query = db.selectFrom('users');
  if (filter.keywords !== '') query = query.where(holds('users.username', filter.keywords));
  if (filter.role) query = query.where('users.role', '=', filter.role);
  if (filter.banned === true) query = query.where('users.banned_until', '>', filter.now);
  if (filter.banned === false)
    query = query.where((eb) =>
      eb.or([eb('users.banned_until', 'is', null), eb('users.banned_until', '<=', filter.now)]),
    );
  return query;
}

export const countUsers = async (query: ReturnType<typeof selectUsers>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;

export const listUsers = (query: ReturnType<typeof selectUsers>, { offset, limit }: Part) =>
  query
    .select(['id', 'username', 'role', 'create_time', 'page_num', 'banned_until', 'ban_reason'])
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();

/** Whether an article's author wants it to be public: drafts, secret and deleted articles are private. */
const isOffered = (eb: ExpressionBuilder<Schema, 'articles'>) =>
  eb.and([eb('articles.status', '=', 'normal'), eb('articles.wanted_secret', '=', 0)]);

/**
 * Articles that are public, or were until staff hid them, by title, summary or author. Drafts and secret
 * articles stay private here too.
 */
export function selectArticles(
  db: Queryable,
  filter: { keywords: string; state?: ContentState | undefined },
) {
  const { keywords, state } = filter;
  let query = db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .leftJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'articles.id').on('withheld_items.kind', '=', 'article'),
    );
  if (state === 'shown') query = query.where('articles.is_public', '=', sql.lit<1>(1));
  else if (state === 'deleted')
    query = query.where('withheld_items.state', '=', 'deleted').where('articles.status', '=', 'cancel');
  else if (state) query = query.where(isOffered).where('articles.moderation', '=', state);
  else
    query = query.where((eb) =>
      eb.or([
        eb('articles.is_public', '=', sql.lit<1>(1)),
        eb.and([eb('articles.moderation', '<>', ''), isOffered(eb)]),
      ]),
    );
  if (keywords !== '')
    query = query.where((eb) =>
      eb.or([
        holds('articles.title', keywords),
        holds('articles.summary', keywords),
        holds('users.username', keywords),
      ]),
    );
  return query;
}

export const countArticles = async (query: ReturnType<typeof selectArticles>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;

export const listArticles = (query: ReturnType<typeof selectArticles>, { offset, limit }: Part) =>
  query
    .select([
      'articles.id',
      'articles.title',
      'articles.summary',
      'users.username',
      'articles.create_time',
      'articles.status',
      'articles.moderation',
      'withheld_items.note',
    ])
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();

/** Visible comments under articles that `selectArticles` could list, by text or author. */
export function selectComments(db: Queryable, keywords: string) {
  const query = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .where((eb) =>
      eb.or([eb('articles.is_public', '=', sql.lit<1>(1)), eb('articles.moderation', '<>', '')]),
    );
  if (keywords === '') return query;
  return query.where((eb) => eb.or([holds('comments.content', keywords), holds('users.username', keywords)]));
}

export const countComments = async (query: ReturnType<typeof selectComments>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;

export const listComments = (query: ReturnType<typeof selectComments>, { offset, limit }: Part) =>
  query
    .select([
      'comments.id',
      'comments.content',
      'users.username',
      'comments.article_id',
      'articles.title',
      'comments.create_time',
    ])
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();

export function selectWithheld(db: Queryable, keywords: string, state: WithheldState) {
  const query = db
    .selectFrom('withheld_comments')
    .innerJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'withheld_comments.id').on('withheld_items.kind', '=', 'comment'),
    )
    .innerJoin('articles', 'articles.id', 'withheld_comments.article_id')
    .innerJoin('users', 'users.id', 'withheld_comments.author_id')
    .where('withheld_items.state', '=', state);
  if (keywords === '') return query;
  return query.where((eb) =>
    eb.or([holds('withheld_comments.content', keywords), holds('users.username', keywords)]),
  );
}

export const countWithheld = async (query: ReturnType<typeof selectWithheld>): Promise<number> =>
  (await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;

export const listWithheld = (query: ReturnType<typeof selectWithheld>, { offset, limit }: Part) =>
  query
    .select([
      'withheld_comments.id',
      'withheld_comments.content',
      'users.username',
      'withheld_comments.article_id',
      'articles.title',
      'withheld_comments.create_time',
      'withheld_items.note',
    ])
    .orderBy('withheld_comments.create_time', 'desc')
    .orderBy('withheld_comments.id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();
