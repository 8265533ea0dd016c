import { sql } from 'kysely';
import type { ActivityKind } from '../../contract/calls/discovery-calls.ts';
import type { Queryable } from '../db/database.ts';
import { countOf, countUpTo, TOTAL } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import { PUBLIC, listedFor } from '../db/visibility.ts';

/** Author and kind of the activities of a list; null stands for all. */
export interface ActivityScope {
  authorId: string | null;
  kind: ActivityKind | null;
}

export interface Entry {
  id: string;
  type: ActivityKind;
  create_time: number;
}

/** Maximum activities of a kind that are listed and counted. */
const MAX_ACTIVITIES = 10_000;

function articles(db: Queryable, authorId: string | null, limit: number) {
  const newest = db
    .selectFrom('articles')
    .select(['id', 'create_time', sql<ActivityKind>`'page'`.as('type')])
    .where('is_public', '=', PUBLIC)
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .limit(literal(limit));
  return (authorId === null ? newest : newest.where('author_id', '=', authorId)).as('entries');
}

function comments(db: Queryable, authorId: string | null, limit: number) {
  const shown = db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.article_id')
    .select(['comments.id', 'comments.create_time', sql<ActivityKind>`'comment'`.as('type')])
    .where(listedFor(null));
  return (authorId === null ? shown : shown.where('comments.author_id', '=', authorId))
    .orderBy('comments.create_time', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(literal(limit))
    .as('entries');
}

/** Counts the visible activities of `scope`, at most MAX_ACTIVITIES of each kind. */
export async function countEntries(db: Queryable, { authorId, kind }: ActivityScope): Promise<number> {
  const written =
    kind === 'comment'
      ? 0
      : await countOf(db.selectFrom(articles(db, authorId, MAX_ACTIVITIES)).select(TOTAL));
  if (kind === 'page') return written;
  // The index alone counts many; whether each is visible matters only if there are fewer.
  const some = db.selectFrom('comments').select('id').orderBy('create_time', 'desc').orderBy('id', 'desc');
  const hasMany = authorId === null && (await countUpTo(db, some, MAX_ACTIVITIES)) >= MAX_ACTIVITIES;
  const said = hasMany
    ? MAX_ACTIVITIES
    : await countOf(db.selectFrom(comments(db, authorId, MAX_ACTIVITIES)).select(TOTAL));
  return written + said;
}

/** Lists the visible activities of `scope`, newest first. */
export async function listEntries(
  db: Queryable,
  { authorId, kind }: ActivityScope,
  { offset, limit }: { offset: number; limit: number },
): Promise<Entry[]> {
  const end = offset + limit;
  const written = db.selectFrom(articles(db, authorId, end)).selectAll();
  const said = db.selectFrom(comments(db, authorId, end)).selectAll();
  const all = kind === null ? written.unionAll(said) : kind === 'page' ? written : said;
  return db
    .selectFrom(all.as('entries'))
    .selectAll()
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .offset(literal(offset))
    .limit(literal(limit))
    .execute();
}
