import { sql } from 'kysely';
import type { Expression, ExpressionBuilder } from 'kysely';
import { PICTURE_URL } from '../../../contract/rules/pictures.ts';
import type { PictureState } from '../../../contract/rules/list-filters.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { TOTAL, among, firstOf, readPage } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { ArticlesTable, FilesTable, Schema } from '../../db/schema/schema.ts';
import type { PageRequest } from '../../shared/paging.ts';

/** A use of a picture; `status` is the status of the article, also for a revision or a version of it. */
export interface PictureUse {
  place: 'article' | 'revision' | 'version' | 'series' | 'thanks' | 'friend';
  id: string;
  title: string;
  status: ArticlesTable['status'];
}

export type PictureRow = Pick<FilesTable, 'name' | 'bytes' | 'create_time'>;

const IMAGE = sql.lit<FilesTable['kind']>('image');

const own = (db: Queryable, ownerId: string) =>
  db.selectFrom('files').where('owner_id', '=', ownerId).where('kind', '=', IMAGE);

const addressOf = (name: Expression<string>) => sql<string>`${PICTURE_URL} || ${name}`;

type Files = ExpressionBuilder<Schema, 'files'>;

/** Whether an article (also a deleted one), a revision, a series, the owner's profile or a friend has it. */
const isUsed = (eb: Files) =>
  eb.or([
    eb.exists(eb.selectFrom('article_pictures').select('picture').whereRef('picture', '=', 'files.name')),
    eb.exists(eb.selectFrom('revision_pictures').select('picture').whereRef('picture', '=', 'files.name')),
    eb.exists(
      eb
        .selectFrom('series')
        .select('series.id')
        .whereRef('series.author_id', '=', 'files.owner_id')
        .where((series) => series('series.cover', '=', addressOf(series.ref('files.name')))),
    ),
    eb.exists(
      eb
        .selectFrom('users')
        .select('users.id')
        .whereRef('users.id', '=', 'files.owner_id')
        .where((users) => users('users.thanks', '=', addressOf(users.ref('files.name')))),
    ),
    eb.exists(
      eb
        .selectFrom('friends')
        .select('friends.id')
        .where((friends) => friends('friends.logo', '=', addressOf(friends.ref('files.name')))),
    ),
  ]);

const isInHistory = (eb: Files) =>
  eb.exists(eb.selectFrom('version_pictures').select('picture').whereRef('picture', '=', 'files.name'));

const inState = (state: PictureState | undefined) => (eb: Files) => {
  if (state === undefined) return eb.lit(true);
  if (state === 'used') return isUsed(eb);
  const isLeft = eb.not(isUsed(eb));
  return eb.and([isLeft, state === 'history' ? isInHistory(eb) : eb.not(isInHistory(eb))]);
};

export function readPictures(
  db: Queryable,
  ownerId: string,
  filter: PageRequest & { state?: PictureState | undefined },
) {
  const query = own(db, ownerId).where(inState(filter.state));
  const listing = query
    .select(['name', 'bytes', 'create_time'])
    .orderBy('create_time', 'desc')
    .orderBy('name', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

export function findPictures(db: Queryable, ownerId: string, names: readonly string[]) {
  const pictures = own(db, ownerId).select((eb) => [
    'name',
    'bytes',
    eb.case().when(isUsed(eb)).then(1).else(0).end().as('is_used'),
    eb.case().when(isInHistory(eb)).then(1).else(0).end().as('is_in_history'),
  ]);
  return among(names, (some) => pictures.where('name', 'in', some));
}

export const findOwner = (db: Queryable, name: string) =>
  firstOf(
    db.selectFrom('files').select(['owner_id', 'bytes']).where('name', '=', name).where('kind', '=', IMAGE),
  );

/**
 * Lists uses of the account's picture, newest first: at most `most` articles, revisions and versions each,
 * all series and friends, and the profile.
 */
export async function listUses(
  db: Queryable,
  picture: string,
  ownerId: string,
  most: number,
): Promise<PictureUse[]> {
  const usesIn = (table: 'article_pictures' | 'revision_pictures') =>
    db
      .selectFrom(`${table} as uses` as 'article_pictures as uses')
      .innerJoin('articles', 'articles.id', 'uses.article_id')
      .select(['articles.id', 'articles.title', 'articles.status'])
      .where('picture', '=', picture)
      .orderBy('articles.id', 'desc')
      .limit(literal(most))
      .execute();
  const articles = await usesIn('article_pictures');
  const revisions = await usesIn('revision_pictures');
  const versions = await db
    .selectFrom('version_pictures')
    .innerJoin('article_versions', 'article_versions.id', 'version_pictures.version_id')
    .innerJoin('articles', 'articles.id', 'article_versions.article_id')
    .select(['articles.id', 'articles.title', 'articles.status'])
    .distinct()
    .where('picture', '=', picture)
    .orderBy('articles.id', 'desc')
    .limit(literal(most))
    .execute();
  const series = await db
    .selectFrom('series')
    .select(['id', 'title'])
    .where('author_id', '=', ownerId)
    .where('cover', '=', PICTURE_URL + picture)
    .execute();
  const thanks = await db
    .selectFrom('users')
    .select(['username as id', 'username as title'])
    .where('id', '=', ownerId)
    .where('thanks', '=', PICTURE_URL + picture)
    .execute();
  const friends = await db
    .selectFrom('friends')
    .select(['id', 'name as title'])
    .where('logo', '=', PICTURE_URL + picture)
    .execute();
  return [
    ...articles.map((row) => ({ place: 'article' as const, ...row })),
    ...revisions.map((row) => ({ place: 'revision' as const, ...row })),
    ...series.map((row) => ({ place: 'series' as const, status: 'normal' as const, ...row })),
    ...thanks.map((row) => ({ place: 'thanks' as const, status: 'normal' as const, ...row })),
    ...friends.map((row) => ({ place: 'friend' as const, status: 'normal' as const, ...row })),
    ...versions.map((row) => ({ place: 'version' as const, ...row })),
  ];
}

export async function deletePictures(trx: Trx, ownerId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx
    .deleteFrom('imports')
    .where('owner_id', '=', ownerId)
    .where('source', 'like', 'image:%')
    .where('article_id', 'in', names)
    .execute();
  await trx.deleteFrom('files').where('owner_id', '=', ownerId).where('name', 'in', names).execute();
}
