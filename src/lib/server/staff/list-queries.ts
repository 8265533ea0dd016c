import { sql } from 'kysely';
import { foldName } from '../../contract/rules/names.ts';
import type { CallInput } from '../../contract/calls/calls.ts';
import type { WithheldState } from '../../contract/rules/moderation.ts';
import type { Queryable } from '../db/database.ts';
import { contains, countOf, countUpTo, readPage, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import { isModerated, PUBLIC } from '../db/visibility.ts';
import type { PageRequest } from '../shared/paging.ts';
import { findTime, isWithin, MAX_LISTED, readNewest, type Range } from './newest-queries.ts';

/** Both names of an author: readers see the display name. */
const NAMES = ['users.username', 'users.display_name'] as const;

const USER_COLUMNS = [
  'id',
  'username',
  'display_name',
  'role',
  'create_time',
  'page_num',
  'banned_until',
  'ban_reason',
] as const;

/** Accounts, newest first; a search also finds the account of that name, however it is written. */
export function readUsers(db: Queryable, filter: CallInput<'staffUsers'>, now: number) {
  const { keywords, role, banned } = filter;
  let users = db.selectFrom('users').orderBy('create_time', 'desc').orderBy('id', 'desc');
  if (role) users = users.where('role', '=', role);
  // Matches the partial index.
  if (role && role !== 'author') users = users.where('role', '<>', sql.lit('author'));
  if (banned === true) users = users.where('banned_until', '>', now);
  if (banned === false)
    users = users.where((eb) => eb.or([eb('banned_until', 'is', null), eb('banned_until', '<=', now)]));
  const found = (range: Range) =>
    users
      .where(isWithin('users', range))
      .where((eb) =>
        eb.or([contains(keywords, 'username', 'display_name'), eb('username_key', '=', foldName(keywords))]),
      );
  return readNewest(filter, {
    countAll: () => countUpTo(db, users.select('id'), MAX_LISTED),
    findStart: (before) => findTime('users', users.select('create_time'), before),
    countIn: (range) => countOf(found(range).clearOrderBy().select(TOTAL)),
    list: (range, { offset, limit }) =>
      found(range).select(USER_COLUMNS).offset(literal(offset)).limit(literal(limit)).execute(),
  });
}

const ARTICLE_COLUMNS = [
  'articles.id',
  'articles.title',
  'articles.summary',
  'articles.author_id',
  'articles.create_time',
  'articles.status',
  'articles.moderation',
] as const;

/** Articles of a state; of several queries for a list of all states, each reads an index in its order. */
function selectStates(db: Queryable, state: CallInput<'staffArticles'>['state']) {
  const articles = db
    .selectFrom('articles')
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc');
  const shown = articles.where('articles.is_public', '=', PUBLIC);
  const moderated = articles.where(isModerated);
  if (state === 'shown') return [shown];
  if (state === 'deleted')
    return [
      articles
        .where('articles.status', '=', 'cancel')
        .where('articles.id', 'in', (eb) =>
          eb
            .selectFrom('withheld_items')
            .select('withheld_items.id')
            .where('withheld_items.kind', '=', 'article')
            .where('withheld_items.state', '=', 'deleted'),
        ),
    ];
  return state ? [moderated.where('articles.moderation', '=', state)] : [shown, moderated];
}

/**
 * Articles that are public, or were until staff hid them, by title, summary or author. Drafts and secret
 * articles stay private here too.
 */
export function readArticles(db: Queryable, filter: CallInput<'staffArticles'>) {
  const states = selectStates(db, filter.state);
  const times = db
    .selectFrom('articles')
    .select('create_time')
    .where('is_public', '=', PUBLIC)
    .orderBy('create_time', 'desc');
  const found = (range: Range, among: number | null = null) => {
    const [first, ...others] = states.map((each, index) => {
      const some = each.select(ARTICLE_COLUMNS).where(isWithin('articles', range));
      const part = among === null ? some : some.limit(literal(among));
      return db.selectFrom(part.as(`part${index}`)).selectAll();
    });
    if (!first) throw new Error('no state of articles');
    return db
      .selectFrom(others.reduce((all, each) => all.unionAll(each), first).as('found'))
      .innerJoin('users', 'users.id', 'found.author_id')
      .where(contains(filter.keywords, 'found.title', 'found.summary', ...NAMES));
  };
  return readNewest(filter, {
    async countAll() {
      let total = 0;
      for (const state of states) total += await countUpTo(db, state.select('articles.id'), MAX_LISTED);
      return total;
    },
    findStart: (before) => findTime('articles', times, before),
    countIn: (range) => countOf(found(range).select(TOTAL)),
    list: (range, { offset, limit, among }) =>
      found(range, among)
        .leftJoin('withheld_items', (join) =>
          join.onRef('withheld_items.id', '=', 'found.id').on('withheld_items.kind', '=', 'article'),
        )
        .leftJoin('site_picks', (join) =>
          join.onRef('site_picks.article_id', '=', 'found.id').on('site_picks.kind', '=', 'pinned'),
        )
        .select([
          'found.id',
          'found.title',
          'found.summary',
          ...NAMES,
          'found.create_time',
          'found.status',
          'found.moderation',
          'withheld_items.note',
          'site_picks.place',
        ])
        .orderBy('found.create_time', 'desc')
        .orderBy('found.id', 'desc')
        .offset(literal(offset))
        .limit(literal(limit))
        .execute(),
  });
}

type CommentFilter = PageRequest & { keywords: string };

/** Visible comments under articles that `readArticles` could list, by text or author. */
export function readComments(db: Queryable, filter: CommentFilter) {
  const comments = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .where((eb) => eb.or([eb('articles.is_public', '=', PUBLIC), eb('articles.moderation', '<>', '')]))
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc');
  const found = (range: Range, among: number | null = null) => {
    const some = comments
      .select([
        'comments.id',
        'comments.content',
        'comments.author_id',
        'comments.article_id',
        'articles.title',
        'comments.create_time',
      ])
      .where(isWithin('comments', range));
    return db
      .selectFrom((among === null ? some : some.limit(literal(among))).as('found'))
      .innerJoin('users', 'users.id', 'found.author_id')
      .where(contains(filter.keywords, 'found.content', ...NAMES));
  };
  const all = db.selectFrom('comments').orderBy('create_time', 'desc').orderBy('id', 'desc');
  return readNewest(filter, {
    async countAll() {
      // The index alone counts many; whether each is visible matters only if there are fewer.
      if ((await countUpTo(db, all.select('id'), MAX_LISTED)) >= MAX_LISTED) return MAX_LISTED;
      return countUpTo(db, comments.select('comments.id'), MAX_LISTED);
    },
    findStart: (before) => findTime('comments', all.select('create_time'), before),
    countIn: (range) => countOf(found(range).select(TOTAL)),
    list: (range, { offset, limit, among }) =>
      found(range, among)
        .select([
          'found.id',
          'found.content',
          ...NAMES,
          'found.article_id',
          'found.title',
          'found.create_time',
        ])
        .orderBy('found.create_time', 'desc')
        .orderBy('found.id', 'desc')
        .offset(literal(offset))
        .limit(literal(limit))
        .execute(),
  });
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
    .where(contains(filter.keywords, 'withheld_comments.content', ...NAMES));
  const listing = query
    .select([
      'withheld_comments.id',
      'withheld_comments.content',
      ...NAMES,
      'withheld_comments.article_id',
      'articles.title',
      'withheld_comments.create_time',
      'withheld_items.note',
    ])
    .orderBy('withheld_comments.create_time', 'desc')
    .orderBy('withheld_comments.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}
