import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { ArticleListItem, List } from '../../../contract/entities.ts';
import type { OwnSort, OwnState } from '../../../contract/rules/list-filters.ts';
import type { Queryable } from '../../db/database.ts';
import { contains, countOf, TOTAL } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { Flag, Schema } from '../../db/schema/schema.ts';
import { NO_PAGE, type Reader } from '../../db/visibility.ts';
import { locatePage, type PageRequest } from '../../shared/paging.ts';
import { toListed } from './article-wire.ts';
import { LIST_COLUMNS, type ArticleRow } from './article-queries.ts';
import { countArticles } from './count-queries.ts';

export interface OwnFilter {
  status: 'normal' | 'draft';
  secret?: boolean | undefined;
  /** Words that must all occur in title, tags or summary; Latin letters match in either case. */
  keywords: string;
  tag?: string | undefined;
  state?: OwnState | undefined;
  sort: OwnSort;
}

type OwnRow = ArticleRow & { read_num: number; comment_num: number; changed: Flag };

async function countOwn(db: Queryable, filter: OwnFilter, viewer: Reader): Promise<number> {
  const { status, secret, keywords, tag = '', state } = filter;
  if (keywords === '' && tag === '' && !state) {
    const kind = secret === undefined ? { status } : { status, secret };
    return countArticles(db, { of: 'own', authorId: viewer.id, ...kind });
  }
  return countOf(db.selectFrom('articles').select(TOTAL).where(matches(filter, viewer)));
}

async function listOwnRows(
  db: Queryable,
  filter: OwnFilter,
  viewer: Reader,
  { offset, limit }: { offset: number; limit: number },
): Promise<OwnRow[]> {
  const { sort } = filter;
  const direction = sort === 'title' ? 'asc' : 'desc';
  const order = sort === 'comment_num' ? comments : sql.ref<number>(`articles.${sort}`);
  const ids = db
    .selectFrom('articles')
    .select('articles.id')
    .where(matches(filter, viewer))
    .orderBy(order, direction)
    .orderBy('articles.id', direction)
    .offset(literal(offset))
    .limit(literal(limit));
  return db
    .selectFrom(ids.as('page'))
    .innerJoin('articles', 'articles.id', 'page.id')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select([...LIST_COLUMNS, 'articles.read_num', comments.as('comment_num')])
    .select(sql<Flag>`case when ${revision} then 1 else 0 end`.as('changed'))
    .orderBy(order, direction)
    .orderBy('articles.id', direction)
    .execute();
}

export async function listOwn(
  db: Queryable,
  filter: OwnFilter & PageRequest,
  viewer: Reader,
): Promise<List<ArticleListItem>> {
  const total = await countOwn(db, filter, viewer);
  const { offset } = locatePage(filter, total);
  const rows = await listOwnRows(db, filter, viewer, { offset, limit: filter.pageSize });
  const result = rows.map((row) => {
    const { read_num, comment_num, changed } = row;
    return { ...toListed(row).item, read_num, comment_num, changed: changed === 1 };
  });
  return { result, total };
}

const comments = sql<number>`(select count(*) from comments where comments.article_id = articles.id)`;
const revision = sql<SqlBool>`exists (select 1 from article_revisions where article_id = articles.id)`;
const schedule = sql<SqlBool>`exists (select 1 from article_schedules where article_id = articles.id)`;

const STATES: Record<OwnState, Expression<SqlBool>> = {
  pinned: sql`articles.pinned = 1`,
  scheduled: schedule,
  changed: revision,
  unpublished: sql`articles.was_published = 0`,
  withdrawn: sql`articles.was_published = 1 and articles.status = 'draft'`,
};

function matches({ status, secret, keywords, tag = '', state }: OwnFilter, viewer: Reader) {
  return (eb: ExpressionBuilder<Schema, 'articles'>): Expression<SqlBool> =>
    eb.and([
      eb('articles.author_id', '=', viewer.id),
      eb('articles.is_page', '=', NO_PAGE),
      eb('articles.status', '=', status),
      ...(secret === undefined ? [] : [eb('articles.secret', '=', secret ? 1 : 0)]),
      ...(tag === '' ? [] : [isTagged(eb, tag)]),
      ...(state ? [STATES[state]] : []),
      ...keywords.split(/\s+/).map((word) => contains(word, searched)),
    ]);
}

const isTagged = (eb: ExpressionBuilder<Schema, 'articles'>, name: string) =>
  eb.exists(
    eb
      .selectFrom('article_tags')
      .innerJoin('tags', 'tags.id', 'article_tags.tag_id')
      .select('article_tags.article_id')
      .whereRef('article_tags.article_id', '=', 'articles.id')
      .where('tags.name', '=', name),
  );

/** Tags are JSON, in which letters are never escaped. */
const searched = sql`articles.title || ' ' || articles.tags || ' ' || articles.summary`;
