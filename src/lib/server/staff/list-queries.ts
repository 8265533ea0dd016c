import { sql, type ExpressionBuilder } from 'kysely';
import type { CallInput } from '../../contract/calls/calls.ts';
import type { WithheldState } from '../../contract/rules/moderation.ts';
import type { Queryable } from '../db/database.ts';
import { contains, readPage, TOTAL } from '../db/lists.ts';
import type { Schema } from '../db/schema/schema.ts';
import type { PageRequest } from '../shared/paging.ts';

export function readUsers(db: Queryable, filter: CallInput<'staffUsers'>, now: number) {
  let query = db.selectFrom('users').where(contains(filter.keywords, 'users.username'));
  if (filter.role) query = query.where('users.role', '=', filter.role);
  if (filter.banned === true) query = query.where('users.banned_until', '>', now);
  if (filter.banned === false)
    query = query.where((eb) =>
      eb.or([eb('users.banned_until', 'is', null), eb('users.banned_until', '<=', now)]),
    );
  const listing = query
    .select(['id', 'username', 'role', 'create_time', 'page_num', 'banned_until', 'ban_reason'])
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

/** Whether an article's author wants it to be public: drafts, secret and deleted articles are private. */
const isOffered = (eb: ExpressionBuilder<Schema, 'articles'>) =>
  eb.and([eb('articles.status', '=', 'normal'), eb('articles.wanted_secret', '=', 0)]);

/**
 * Articles that are public, or were until staff hid them, by title, summary or author. Drafts and secret
 * articles stay private here too.
 */
export function readArticles(db: Queryable, filter: CallInput<'staffArticles'>) {
  const { keywords, state } = filter;
  let query = db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .leftJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'articles.id').on('withheld_items.kind', '=', 'article'),
    )
    .leftJoin('site_picks', (join) =>
      join.onRef('site_picks.article_id', '=', 'articles.id').on('site_picks.kind', '=', 'pinned'),
    )
    .where(contains(keywords, 'articles.title', 'articles.summary', 'users.username'));
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
  const listing = query
    .select([
      'articles.id',
      'articles.title',
      'articles.summary',
      'users.username',
      'articles.create_time',
      'articles.status',
      'articles.moderation',
      'withheld_items.note',
      'site_picks.place',
    ])
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

interface CommentFilter extends PageRequest {
  keywords: string;
}

/** Visible comments under articles that `readArticles` could list, by text or author. */
export function readComments(db: Queryable, filter: CommentFilter) {
  const query = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .where((eb) => eb.or([eb('articles.is_public', '=', sql.lit<1>(1)), eb('articles.moderation', '<>', '')]))
    .where(contains(filter.keywords, 'comments.content', 'users.username'));
  const listing = query
    .select([
      'comments.id',
      'comments.content',
      'users.username',
      'comments.article_id',
      'articles.title',
      'comments.create_time',
    ])
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

export function readWithheld(db: Queryable, filter: CommentFilter, state: WithheldState) {
  const query = db
    .selectFrom('withheld_comments')
    .innerJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'withheld_comments.id').on('withheld_items.kind', '=', 'comment'),
    )
    .innerJoin('articles', 'articles.id', 'withheld_comments.article_id')
    .innerJoin('users', 'users.id', 'withheld_comments.author_id')
    .where('withheld_items.state', '=', state)
    .where(contains(filter.keywords, 'withheld_comments.content', 'users.username'));
  const listing = query
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
    .orderBy('withheld_comments.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}
