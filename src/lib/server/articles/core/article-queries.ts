import { sql } from 'kysely';
import { LINKED_ADDRESS } from '../../db/article-address.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf, firstValue, valuesOf } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import { literal, prepare } from '../../db/prepared.ts';
import type { ArticleBodiesTable, ArticlesTable, Flag } from '../../db/schema/schema.ts';
import { PUBLIC, visibleTo, type Reader } from '../../db/visibility.ts';
import { HEAD_NAMES } from './authored-queries.ts';

export type Sort = 'create_time' | 'update_time';
/** Articles of a list: all public ones, by tag, by author, or the viewer's own by status. */
export type Scope =
  | { of: 'public' }
  | { of: 'tag'; tagId: string }
  | { of: 'author'; authorId: string }
  | { of: 'own'; authorId: string; status: 'normal' | 'draft'; secret?: boolean };

const PINNED = sql.lit<Flag>(1);

const HEAD_COLUMNS = [
  'articles.id',
  ...HEAD_NAMES.map((name) => `articles.${name}` as const),
  'articles.type',
  'articles.status',
  'articles.moderation',
  'articles.wanted_secret',
  'articles.is_page',
  'articles.create_time',
  'articles.update_time',
  LINKED_ADDRESS,
  'users.username',
  'users.display_name',
] as const;

export const LIST_COLUMNS = [
  ...HEAD_COLUMNS,
  'articles.excerpt',
  'articles.has_more',
  'articles.summary',
] as const;

export type ArticleRow = Omit<
  ArticlesTable,
  'seq' | 'author_id' | 'is_public' | 'was_published' | 'series_no' | 'saved_by' | 'read_num'
> & {
  username: string;
  display_name: string;
  /** Slug of a page, in lists that may have pages. */
  page?: string | null;
};

export const selectListed = (db: Queryable) =>
  db.selectFrom('articles').innerJoin('users', 'users.id', 'articles.author_id').select(LIST_COLUMNS);

export const selectWithPages = (db: Queryable) =>
  selectListed(db).leftJoin('pages', 'pages.article_id', 'articles.id').select('pages.slug as page');

/** Returns the public articles among `ids`, in the order of `ids`. */
export const listPublicByIds = (db: Queryable, ids: readonly string[]): Promise<ArticleRow[]> =>
  inOrder(ids, selectListed(db).where('articles.is_public', '=', PUBLIC));

/** As `listPublicByIds`, with published pages and their slugs. */
export const listFoundByIds = (db: Queryable, ids: readonly string[]): Promise<ArticleRow[]> =>
  inOrder(ids, selectWithPages(db).where(visibleTo(null)));

async function inOrder(ids: readonly string[], articles: ReturnType<typeof selectListed>) {
  const rows = await among(ids, (some) => articles.where('articles.id', 'in', some));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Values of `renderer_version` without HTML: a draft that was never opened, an article that cannot be
 * rendered.
 */
export const NOT_RENDERED = -1;
export const TOO_COMPLEX = 0;

const selectVisible = (db: Queryable, id: string, viewer: Reader | null) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .innerJoin('users', 'users.id', 'articles.author_id')
    .select([...HEAD_COLUMNS, 'articles.author_id', 'articles.is_public'])
    .where('articles.id', '=', id)
    .where(visibleTo(viewer));

const selectPage = (db: Queryable, id: string, viewer: Reader | null) =>
  selectVisible(db, id, viewer)
    .select(['articles.summary', 'users.avatar', 'users.bio', 'users.thanks'])
    .select([
      'article_bodies.html',
      'article_bodies.toc',
      'article_bodies.words',
      'article_bodies.renderer_version',
    ]);
const pageForVisitors = prepare((db, { id }: { id: string }) => selectPage(db, id, null));

/** Returns a rendered article with its author, or null if the viewer may not see it. */
export async function findArticlePage(db: Queryable, id: string, viewer: Reader | null) {
  const row = viewer
    ? await selectPage(db, id, viewer).executeTakeFirst()
    : (await pageForVisitors(db, { id }))[0];
  return row ?? null;
}

export const findArticle = (db: Queryable, id: string, viewer: Reader | null) =>
  firstOf(selectVisible(db, id, viewer).select(['article_bodies.content', 'articles.saved_by']));

export type ArticleHead = Omit<ArticleRow, 'excerpt' | 'has_more' | 'summary'>;

export const STATE_COLUMNS = [
  'id',
  'author_id',
  ...HEAD_NAMES,
  'status',
  'moderation',
  'wanted_secret',
  'is_public',
  'is_page',
  'was_published',
  'create_time',
  'update_time',
  'summary',
  'address',
] as const;
export type ArticleState = Pick<ArticlesTable, (typeof STATE_COLUMNS)[number]>;

/** Returns null for an article in the trash; `findAnyState` does not. */
export async function findState(db: Queryable, id: string): Promise<ArticleState | null> {
  const state = await findAnyState(db, id);
  return state?.status === 'cancel' ? null : state;
}

/** The author of a page; null for an article. */
export const findPageAuthor = (db: Queryable, id: string): Promise<{ id: string; username: string } | null> =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('users', 'users.id', 'articles.author_id')
      .select(['users.id', 'users.username'])
      .where('articles.id', '=', id)
      .where('articles.is_page', '=', 1),
  );

export const findAnyState = (db: Queryable, id: string): Promise<ArticleState | null> =>
  firstOf(db.selectFrom('articles').select(STATE_COLUMNS).where('id', '=', id));

type Direction = 'asc' | 'desc';
type Place = { id: string; create_time: number };

const beside = (db: Queryable, { id, create_time }: Place, comparison: '<' | '>', direction: Direction) =>
  db
    .selectFrom('articles')
    .select(['id', 'title', 'create_time', LINKED_ADDRESS])
    .where('is_public', '=', PUBLIC)
    .where((eb) => eb(eb.refTuple('create_time', 'id'), comparison, eb.tuple(create_time, id)))
    .orderBy('create_time', direction)
    .orderBy('id', direction)
    .limit(literal(1));

const neighbours = prepare((db, place: Place) =>
  db
    .selectFrom(beside(db, place, '<', 'desc').as('earlier'))
    .selectAll()
    .unionAll(db.selectFrom(beside(db, place, '>', 'asc').as('later')).selectAll()),
);

export async function findNeighbours(db: Queryable, { id, create_time }: Place) {
  const found = await neighbours(db, { id, create_time });
  const isEarlier = (row: Place) =>
    row.create_time < create_time || (row.create_time === create_time && row.id < id);
  return { previous: found.find(isEarlier) ?? null, next: found.find((row) => !isEarlier(row)) ?? null };
}

export type ArticleValues = Omit<ArticlesTable, 'seq' | 'series_no' | 'read_num'>;
export type BodyValues = Omit<ArticleBodiesTable, 'article_id' | 'words'> & { words: number };

export const listPinned = (db: Queryable, authorId: string, limit: number): Promise<ArticleRow[]> =>
  selectListed(db)
    .where('author_id', '=', authorId)
    .where('is_public', '=', PUBLIC)
    .where('pinned', '=', PINNED)
    .orderBy('articles.create_time', 'desc')
    .orderBy('articles.id', 'desc')
    .limit(limit)
    .execute();

export async function putArticle(trx: Trx, article: ArticleValues, body: BodyValues): Promise<void> {
  const { id, author_id: _, ...changes } = article;
  const { numUpdatedRows } = await trx
    .updateTable('articles')
    .set(changes)
    .where('id', '=', id)
    .executeTakeFirst();
  // ON CONFLICT would consume a `seq` on each save in PostgreSQL, and sitemaps are split by `seq`.
  if (numUpdatedRows === 0n) await perform(trx, trx.insertInto('articles').values(article));
  await perform(
    trx,
    trx
      .insertInto('article_bodies')
      .values({ article_id: id, ...body })
      .onConflict((conflict) => conflict.column('article_id').doUpdateSet(body)),
  );
}

/** Changes columns of an article, and `is_public` with them; returns its new state. */
export async function changeArticle(
  trx: Trx,
  before: ArticleState,
  changes: Partial<Omit<ArticleState, 'id' | 'is_public' | 'is_page'>>,
): Promise<ArticleState> {
  const { status, secret } = { ...before, ...changes };
  const is_public: Flag = status === 'normal' && secret === 0 ? 1 : 0;
  await trx
    .updateTable('articles')
    .set({ ...changes, is_public })
    .where('id', '=', before.id)
    .execute();
  return { ...before, ...changes, is_public };
}

export async function putArticleTags(
  trx: Trx,
  article: Pick<ArticleValues, 'id' | 'is_public' | 'create_time' | 'update_time'>,
  tagIds: readonly string[],
): Promise<void> {
  await perform(trx, trx.deleteFrom('article_tags').where('article_id', '=', article.id));
  if (tagIds.length === 0) return;
  const { id: article_id, is_public, create_time, update_time } = article;
  const rows = tagIds.map((tag_id) => ({ tag_id, article_id, is_public, create_time, update_time }));
  await perform(trx, trx.insertInto('article_tags').values(rows));
}

/** Lists articles made by an older renderer, and published ones that an older renderer refused. */
export async function listOutdated(db: Queryable, version: number, limit: number) {
  return db
    .selectFrom('article_bodies')
    .innerJoin('articles', 'articles.id', 'article_bodies.article_id')
    .select(['articles.id', 'article_bodies.content', 'articles.update_time'])
    .where('article_bodies.renderer_version', '<', version)
    .where('articles.status', '!=', 'cancel')
    .where((eb) =>
      eb.or([
        eb('article_bodies.renderer_version', '>', TOO_COMPLEX),
        eb.and([
          eb('article_bodies.renderer_version', '=', TOO_COMPLEX),
          eb('articles.status', '=', 'normal'),
        ]),
      ]),
    )
    .limit(limit)
    .execute();
}

export const listTagIds = (db: Queryable, articleId: string): Promise<string[]> =>
  valuesOf(db.selectFrom('article_tags').select('tag_id').where('article_id', '=', articleId));

export const findLastSeq = async (db: Queryable): Promise<number> =>
  (await firstValue(db.selectFrom('articles').select(({ fn }) => fn.max('seq').as('last')))) ?? 0;

export const findRendering = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select(['html', 'toc', 'text', 'words', 'summary'])
      .where('articles.id', '=', id),
  );

export async function putRendering(
  trx: Trx,
  id: string,
  { summary, ...body }: Omit<BodyValues, 'content'> & { summary: string },
): Promise<void> {
  await trx.updateTable('articles').set({ summary }).where('id', '=', id).execute();
  await trx.updateTable('article_bodies').set(body).where('article_id', '=', id).execute();
}

/** Display name of a user; '' for none. */
export const findDisplayName = async (db: Queryable, userId: string): Promise<string> =>
  (await firstValue(db.selectFrom('users').select('display_name').where('id', '=', userId))) ?? '';
