import { sql } from 'kysely';
import { namesOf } from '../../contract/titled.ts';
import { SITE_PARTS, SitePart } from './format.ts';
import type { Queryable } from '../db/database.ts';
import { valuesOf } from '../db/lists.ts';
import { literal } from '../db/prepared.ts';
import type { ArticleRevisionsTable, ArticleVersionsTable, FilesTable } from '../db/schema/schema.ts';

/** Id of the author whose data is exported; null exports everyone's. */
export type Whose = string | null;

/** Batch sizes: texts are large, other rows small. */
export const BATCH_SIZES = { texts: 20, rows: 500 };

const USER_COLUMNS = [
  'id',
  'username',
  'gender',
  'bio',
  'avatar',
  'create_time',
  'closed',
  'display_name',
  'website',
  'links',
  'thanks',
] as const;
export const WITHHELD_COLUMNS = [
  'withheld_items.state as withheld_state',
  'withheld_items.note',
  'withheld_items.reasons',
  'withheld_items.create_time as withheld_time',
  'withheld_items.hidden_by_ban',
] as const;
const ACCOUNT_COLUMNS = ['password_hash', 'role', 'banned_until', 'ban_reason', 'ban_hides'] as const;

export const usersAfter = (db: Queryable, after: string, whose: Whose) =>
  db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .select((eb) => [
      eb
        .exists(eb.selectFrom('articles').select('seq').whereRef('author_id', '=', 'users.id'))
        .as('has_articles'),
      eb.exists(eb.selectFrom('files').select('name').whereRef('owner_id', '=', 'users.id')).as('has_files'),
    ])
    .where('id', '>', after)
    .$if(whose !== null, (users) => users.where('id', '=', whose))
    .orderBy('id')
    .limit(literal(BATCH_SIZES.rows))
    .execute();

export const accountsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .leftJoin('user_emails', 'user_emails.user_id', 'users.id')
    .select(['users.id', 'user_emails.address', 'user_emails.create_time as confirmed_time'])
    .select(ACCOUNT_COLUMNS)
    .where('users.id', 'in', [...ids])
    .execute();

export async function identitiesOf(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', 'in', [...ids])
    .orderBy('issuer')
    .orderBy('subject')
    .execute();
}

/** Former usernames that redirect. */
export async function formerNamesOf(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('former_names')
    .select(['user_id', 'name'])
    .where('user_id', 'in', [...ids])
    .where('name', '!=', '')
    .orderBy('name')
    .execute();
}

export async function findAuthor(db: Queryable, key: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('id').where('username_key', '=', key).executeTakeFirst();
  return row?.id ?? null;
}

export async function namedUsers(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
}

/** Tags after the id `after`; for an author, those they created or use. */
export const tagsAfter = (db: Queryable, after: string, whose: Whose) => {
  const used = db
    .selectFrom('article_tags')
    .innerJoin('articles', 'articles.id', 'article_tags.article_id')
    .select('tag_id')
    .where('author_id', '=', whose);
  return db
    .selectFrom('tags')
    .selectAll()
    .where('id', '>', after)
    .$if(whose !== null, (tags) =>
      tags.where((eb) => eb.or([eb('creator_id', '=', whose), eb('id', 'in', used)])),
    )
    .orderBy('id')
    .limit(literal(BATCH_SIZES.rows))
    .execute();
};

export const seriesAfter = (db: Queryable, after: string, whose: Whose) =>
  db
    .selectFrom('series')
    .selectAll()
    .where('id', '>', after)
    .$if(whose !== null, (series) => series.where('author_id', '=', whose))
    .orderBy('id')
    .limit(literal(BATCH_SIZES.rows))
    .execute();

export const filesAfter = (db: Queryable, after: string, whose: Whose) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('name', '>', after)
    .$if(whose !== null, (files) => files.where('owner_id', '=', whose))
    .orderBy('name')
    .limit(literal(BATCH_SIZES.rows))
    .execute();

export async function filesNamed(db: Queryable, names: readonly string[]): Promise<FilesTable[]> {
  if (names.length === 0) return [];
  return db
    .selectFrom('files')
    .selectAll()
    .where('name', 'in', [...names])
    .where('kind', '=', 'image')
    .execute();
}

/** Ids of all articles of an author, including deleted ones, in order of creation. */
export const listArticleIds = (db: Queryable, authorId: string): Promise<string[]> =>
  valuesOf(db.selectFrom('articles').select('id').where('author_id', '=', authorId).orderBy('seq'));

export type ExportedRow = Awaited<ReturnType<typeof articlesOf>>[number];

export const articlesOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .leftJoin('trash', 'trash.article_id', 'articles.id')
    .leftJoin('article_schedules', 'article_schedules.article_id', 'articles.id')
    .leftJoin('pages', 'pages.article_id', 'articles.id')
    .leftJoin('withheld_items', (join) =>
      join.onRef('withheld_items.id', '=', 'articles.id').on('withheld_items.kind', '=', 'article'),
    )
    .selectAll('articles')
    .select([
      'article_bodies.content',
      'article_bodies.renderer_version',
      'trash.status as trash_status',
      'trash.trash_time',
      'article_schedules.publish_time',
      'article_schedules.problem',
    ])
    .select(['pages.slug as page_slug', 'pages.parent_id', 'pages.position', 'pages.in_feeds'])
    .select(WITHHELD_COLUMNS)
    .where('articles.id', 'in', [...ids])
    .orderBy('articles.seq')
    .execute();

export const revisionsOf = (db: Queryable, ids: readonly string[]): Promise<ArticleRevisionsTable[]> =>
  db
    .selectFrom('article_revisions')
    .selectAll()
    .where('article_id', 'in', [...ids])
    .orderBy('article_id')
    .execute();

export const formerPathsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('former_paths')
    .select(['article_id', 'path'])
    .where('article_id', 'in', [...ids])
    .orderBy('path')
    .execute();

/** Slugs of articles, of each its present one first. */
export const slugsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('article_slugs')
    .innerJoin('articles', 'articles.id', 'article_slugs.article_id')
    .select(['article_id', 'article_slugs.slug'])
    .where('article_id', 'in', [...ids])
    .orderBy(({ eb }) =>
      eb.case().when('article_slugs.slug', '=', eb.ref('articles.address')).then(0).else(1).end(),
    )
    .orderBy('article_slugs.slug')
    .execute();

export const formerSlugsOf = (db: Queryable, ids: readonly string[]) =>
  db
    .selectFrom('page_slugs')
    .selectAll()
    .where('article_id', 'in', [...ids])
    .orderBy('slug')
    .execute();

export const listVersionIds = (db: Queryable, articleId: string): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('article_versions')
      .select('id')
      .where('article_id', '=', articleId)
      .orderBy('create_time')
      .orderBy('id'),
  );

export const versionsOf = (db: Queryable, ids: readonly string[]): Promise<ArticleVersionsTable[]> =>
  db
    .selectFrom('article_versions')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('create_time')
    .orderBy('id')
    .execute();

export const notificationsAfter = (db: Queryable, after: string, whose: Whose) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '>', after)
    .$if(whose !== null, (own) => own.where('recipient_id', '=', whose))
    .orderBy('id')
    .limit(literal(BATCH_SIZES.rows))
    .execute();

export const allFriends = (db: Queryable) =>
  db
    .selectFrom('friends')
    .select(['id', 'state', 'name', 'url', 'description', 'logo', 'feed', 'email', 'group_name', 'position'])
    .select('create_time')
    .orderBy('id')
    .execute();

export const readsAfter = (
  db: Queryable,
  by: 'day' | 'month',
  after: { article: string; span: number },
): Promise<{ article: string; span: number; reads: number }[]> => {
  const table = by === 'day' ? 'article_reads' : 'month_reads';
  const span = sql.ref<number>(by);
  return db
    .selectFrom(table)
    .select(['article_id as article', span.as('span'), 'reads'])
    .where(sql<boolean>`(article_id, ${span}) > (${after.article}, ${after.span})`)
    .orderBy('article_id')
    .orderBy(span)
    .limit(literal(BATCH_SIZES.rows))
    .execute();
};

export const siteParts = async (db: Queryable): Promise<SitePart[]> => {
  const names = namesOf(SITE_PARTS);
  const query = db.selectFrom('site_options').selectAll().where('name', 'in', names).orderBy('name');
  return (await query.execute()).map(({ name, value }) =>
    SitePart.parse({ name, value: JSON.parse(value) as unknown }),
  );
};
