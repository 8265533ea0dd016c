import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { literal, prepare } from '../../db/prepared.ts';
import type { ArticlesTable } from '../../db/schema/schema.ts';
import { NO_PAGE, PUBLIC } from '../../db/visibility.ts';
import { findPlace } from '../discovery/archive-queries.ts';
import { LIST_COLUMNS, type ArticleRow, type Scope, type Sort } from './article-queries.ts';

export interface ListPart {
  sort: Sort;
  offset: number;
  limit: number;
  total: number;
}

/**
 * Maximum rows skipped one by one. Farther pages of all public articles are located with the daily counts of
 * the archive.
 */
const MAX_SKIPPED_ROWS = 20_000;

/** Lists articles of `scope`, newest first by `sort`; pages in the second half are read from the end. */
export async function listArticles(
  db: Queryable,
  scope: Scope,
  part: ListPart,
  maxSkipped = MAX_SKIPPED_ROWS,
): Promise<ArticleRow[]> {
  const left = part.total - part.offset;
  if (left <= 0) return [];
  const isNear = part.offset <= part.total / 2;
  // Articles published since `total` was counted are at the front and must not push older ones off the page.
  const limit = isNear ? part.limit : Math.min(part.limit, left);
  const offset = isNear ? part.offset : left - limit;
  const direction = isNear ? 'desc' : 'asc';
  const isFar = offset > maxSkipped && scope.of === 'public' && part.sort === 'create_time';
  const place = isFar ? await findPlace(db, offset, direction) : { offset, bound: null };
  const cut: Cut = { sort: part.sort, direction, offset: place.offset, limit, isBound: place.bound !== null };
  const rows = await listQuery(scope, cut)(db, { ...subjectOf(scope), bound: place.bound ?? 0 });
  return isNear ? rows : rows.toReversed();
}

interface ListValues extends Record<string, string | number> {
  subject: string;
  status: string;
  /** Time of creation at which the list begins, if `isBound`. */
  bound: number;
}

function subjectOf(scope: Scope): Pick<ListValues, 'subject' | 'status'> {
  if (scope.of === 'public') return { subject: '', status: '' };
  if (scope.of === 'tag') return { subject: scope.tagId, status: '' };
  return { subject: scope.authorId, status: scope.of === 'own' ? scope.status : '' };
}

interface Cut extends Omit<ListPart, 'total'> {
  direction: 'asc' | 'desc';
  isBound: boolean;
}
type ListQuery = (db: Queryable, values: ListValues) => Promise<ArticleRow[]>;
const listQueries = new LRUCache<string, ListQuery>({ max: 500 });

function listQuery(scope: Scope, cut: Cut): ListQuery {
  const { sort, direction } = cut;
  const secret = scope.of === 'own' ? scope.secret : undefined;
  const key = [scope.of, secret, sort, direction, cut.offset, cut.limit, cut.isBound].join();
  const known = listQueries.get(key);
  if (known) return known;
  const made: ListQuery = prepare((db, values) =>
    db
      // Cuts the page from an index, then looks up only its rows.
      .selectFrom(idsOf(db, { of: scope.of, secret }, values, cut).as('page'))
      .innerJoin('articles', 'articles.id', 'page.id')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(LIST_COLUMNS)
      .orderBy(`articles.${sort}`, direction)
      .orderBy('articles.id', direction),
  );
  listQueries.set(key, made);
  return made;
}

function idsOf(
  db: Queryable,
  { of, secret }: { of: Scope['of']; secret: boolean | undefined },
  { subject, status, bound }: ListValues,
  { sort, direction, offset, limit, isBound }: Cut,
) {
  if (of === 'tag') {
    return db
      .selectFrom('article_tags')
      .select('article_id as id')
      .where('tag_id', '=', subject)
      .where('is_public', '=', PUBLIC)
      .orderBy(sort, direction)
      .orderBy('article_id', direction)
      .offset(literal(offset))
      .limit(literal(limit));
  }
  let query = db.selectFrom('articles').select('id').orderBy(sort, direction).orderBy('id', direction);
  if (of !== 'public') query = query.where('author_id', '=', subject);
  if (of === 'own')
    query = query.where('status', '=', status as ArticlesTable['status']).where('is_page', '=', NO_PAGE);
  else query = query.where('is_public', '=', PUBLIC);
  if (secret !== undefined) query = query.where('secret', '=', secret ? 1 : 0);
  if (isBound) query = query.where('create_time', direction === 'desc' ? '<' : '>=', bound);
  return query.offset(literal(offset)).limit(literal(limit));
}
