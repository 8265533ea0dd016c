import { sql, type ExpressionBuilder } from 'kysely';
import { foldName } from '../../contract/rules/names.ts';
import type { CallInput } from '../../contract/calls/calls.ts';
import type { WithheldState } from '../../contract/rules/moderation.ts';
import type { Queryable } from '../db/database.ts';
import { contains, countOf, countUpTo, readPage, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { Flag, Schema } from '../db/schema/schema.ts';
import { PUBLIC } from '../db/visibility.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';

/** Maximum rows of a list that are counted, newest first: older ones are found by searching. */
const MAX_LISTED = 10_000;
/** Maximum rows that are searched, newest first. */
const MAX_SEARCHED = 1_000_000;

interface Page {
  offset: number;
  limit: number;
}

/**
 * Reads a page of the newest rows. Without keywords only the page's rows are read; else the newest
 * MAX_SEARCHED are searched.
 * @param list lists the page of the newest `among` rows that contain the keywords
 */
async function readNewest<R>(
  request: PageRequest & { keywords: string },
  {
    countAll,
    countFound,
    list,
  }: {
    countAll(): Promise<number>;
    countFound(): Promise<number>;
    list(among: number, page: Page): Promise<R[]>;
  },
): Promise<{ rows: R[]; total: number }> {
  const isSearch = request.keywords !== '';
  const total = await (isSearch ? countFound() : countAll());
  const { offset } = locatePage(request, total);
  const page = { offset, limit: request.pageSize };
  return { rows: await list(isSearch ? MAX_SEARCHED : offset + page.limit, page), total };
}

const USER_COLUMNS = [
  'id',
  'username',
  'role',
  'create_time',
  'page_num',
  'banned_until',
  'ban_reason',
] as const;

/** Accounts, newest first; a search also finds the account of that name, however old. */
export function readUsers(db: Queryable, filter: CallInput<'staffUsers'>, now: number) {
  const { keywords, role, banned } = filter;
  let users = db.selectFrom('users').orderBy('create_time', 'desc').orderBy('id', 'desc');
  if (role) users = users.where('role', '=', role);
  // Matches the partial index.
  if (role && role !== 'author') users = users.where('role', '<>', sql.lit('author'));
  if (banned === true) users = users.where('banned_until', '>', now);
  if (banned === false)
    users = users.where((eb) => eb.or([eb('banned_until', 'is', null), eb('banned_until', '<=', now)]));
  const found = (among: number) => {
    const newest = users.select(USER_COLUMNS).limit(literal(among));
    const some = db.selectFrom(newest.as('newest')).selectAll();
    const named = users.select(USER_COLUMNS).where('username_key', '=', foldName(keywords)).clearOrderBy();
    return db
      .selectFrom((keywords === '' ? some : some.union(named)).as('found'))
      .where(contains(keywords, 'username'));
  };
  return readNewest(filter, {
    countAll: () => countUpTo(db, users.select('id'), MAX_LISTED),
    countFound: () => countOf(found(MAX_SEARCHED).select(TOTAL)),
    list: (among, { offset, limit }) =>
      found(among)
        .selectAll()
        .orderBy('create_time', 'desc')
        .orderBy('id', 'desc')
        .offset(literal(offset))
        .limit(literal(limit))
        .execute(),
  });
}

/** Whether an article's author wants it to be public: drafts, secret and deleted articles are private. */
const isOffered = (eb: ExpressionBuilder<Schema, 'articles'>) =>
  eb.and([eb('articles.status', '=', 'normal'), eb('articles.wanted_secret', '=', sql.lit<Flag>(0))]);

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
  const moderated = articles.where('articles.moderation', '<>', sql.lit('')).where(isOffered);
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
  const found = (among: number) => {
    const [first, ...others] = states.map((each, index) =>
      db.selectFrom(each.select(ARTICLE_COLUMNS).limit(literal(among)).as(`part${index}`)).selectAll(),
    );
    if (!first) throw new Error('no state of articles');
    return db
      .selectFrom(others.reduce((all, each) => all.unionAll(each), first).as('found'))
      .innerJoin('users', 'users.id', 'found.author_id')
      .where(contains(filter.keywords, 'found.title', 'found.summary', 'users.username'));
  };
  return readNewest(filter, {
    async countAll() {
      let total = 0;
      for (const state of states) total += await countUpTo(db, state.select('articles.id'), MAX_LISTED);
      return total;
    },
    countFound: () => countOf(found(MAX_SEARCHED).select(TOTAL)),
    list: (among, { offset, limit }) =>
      found(among)
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
          'users.username',
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
  const found = (among: number) =>
    db
      .selectFrom(
        comments
          .select([
            'comments.id',
            'comments.content',
            'comments.author_id',
            'comments.article_id',
            'articles.title',
            'comments.create_time',
          ])
          .limit(literal(among))
          .as('found'),
      )
      .innerJoin('users', 'users.id', 'found.author_id')
      .where(contains(filter.keywords, 'found.content', 'users.username'));
  return readNewest(filter, {
    async countAll() {
      // The index alone counts many; whether each is visible matters only if there are fewer.
      const many = db
        .selectFrom('comments')
        .select('id')
        .orderBy('create_time', 'desc')
        .orderBy('id', 'desc');
      if ((await countUpTo(db, many, MAX_LISTED)) >= MAX_LISTED) return MAX_LISTED;
      return countUpTo(db, comments.select('comments.id'), MAX_LISTED);
    },
    countFound: () => countOf(found(MAX_SEARCHED).select(TOTAL)),
    list: (among, { offset, limit }) =>
      found(among)
        .select([
          'found.id',
          'found.content',
          'users.username',
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
