import { sql, type ExpressionBuilder, type Insertable, type Selectable } from 'kysely';
import { LINKED_ADDRESS } from '../db/article-address.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { TOTAL, among, contains, countOf, firstOf, isFound, readPage, valuesOf } from '../db/lists.ts';
import { perform } from '../db/perform.ts';
import { addToTotal, readTotal, type StoredCounter } from '../db/stored-counters.ts';
import { literal } from '../db/prepared.ts';
import type { CleanText } from '../shared/clean-text.ts';
import type { Flag, Schema, TagsTable } from '../db/schema/schema.ts';
import { listedFor } from '../db/visibility.ts';
import type { CallInput } from '../../contract/calls/calls.ts';

export type TagRow = Pick<
  Selectable<TagsTable>,
  'id' | 'name' | 'description' | 'creator_id' | 'create_time' | 'update_time' | 'is_listed'
> & {
  page_num: number;
  made_by_name: Flag;
  username: string;
};

const LISTED = sql.lit<Flag>(1);
const HIDDEN = sql.lit<Flag>(0);
const NONE = sql.lit(0);
const YES = sql.lit<Flag>(1);

/**
 * Listed tags that a list shows: 'used' are those with a public article, 'all' adds those created by name.
 */
export type ShownTags = 'used' | 'all';

const isShown = (shown: ShownTags) => (eb: ExpressionBuilder<Schema, 'tags'>) =>
  shown === 'used'
    ? eb('tags.page_num', '>', NONE)
    : eb.or([eb('tags.page_num', '>', NONE), eb('tags.made_by_name', '=', YES)]);

const selectTags = (db: Queryable) =>
  db
    .selectFrom('tags')
    .innerJoin('users', 'users.id', 'tags.creator_id')
    .select([
      'tags.id',
      'tags.name',
      'tags.description',
      'tags.creator_id',
      'tags.create_time',
      'tags.update_time',
    ])
    .select(['tags.page_num', 'tags.is_listed', 'tags.made_by_name', 'users.username']);

/** Returns the listed tag with this current or former name, else the one that only `userId` sees, or null. */
export async function findTag(db: Queryable, name: string, userId: string | null): Promise<TagRow | null> {
  const named = selectTags(db).where('tags.name', '=', name);
  const listed =
    (await named.where('tags.is_listed', '=', LISTED).executeTakeFirst()) ??
    (await selectTags(db)
      .innerJoin('tag_aliases', 'tag_aliases.tag_id', 'tags.id')
      .where('tag_aliases.name', '=', name)
      .executeTakeFirst());
  if (listed || userId === null) return listed ?? null;
  const own = named.where('tags.is_listed', '=', HIDDEN).where('tags.creator_id', '=', userId);
  return firstOf(own);
}

/** As `findTag`, but null for a listed tag that is not shown, unless `userId` has an article with it. */
export async function findShownTag(db: Queryable, name: string, userId: string | null) {
  const row = await findTag(db, name, userId);
  if (!row || row.is_listed === 0 || row.page_num > 0 || row.made_by_name === 1) return row;
  if (userId === null) return null;
  const own = db
    .selectFrom('article_tags')
    .innerJoin('articles', 'articles.id', 'article_tags.article_id')
    .select('articles.id')
    .where('article_tags.tag_id', '=', row.id)
    .where('articles.author_id', '=', userId)
    .limit(literal(1));
  return (await isFound(own)) ? row : null;
}

export async function listTags(db: Queryable, page: { offset: number; limit: number; shown: ShownTags }) {
  return selectTags(db)
    .where('tags.is_listed', '=', LISTED)
    .where(isShown(page.shown))
    .orderBy('tags.page_num', 'desc')
    .orderBy('tags.id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
}

/** A merged tag is no longer its creator's own. */
const aliasOf = (eb: ExpressionBuilder<Schema, 'tags'>) =>
  eb.selectFrom('tag_aliases').select('tag_id').whereRef('former_id', '=', 'tags.id');

// A scalar subquery, run for each tag by index: PostgreSQL would join an `exists` with all of article_tags.
const hiddenUse = (eb: ExpressionBuilder<Schema, 'tags'>, userId: string) =>
  eb
    .selectFrom('article_tags')
    .innerJoin('articles', 'articles.id', 'article_tags.article_id')
    .select('articles.id')
    .whereRef('article_tags.tag_id', '=', 'tags.id')
    .where('articles.author_id', '=', userId)
    .limit(literal(1));

/** Maps the former names among `names` to the current names. */
export async function listNewNames(db: Queryable, names: readonly string[]): Promise<Map<string, string>> {
  const renamed = db
    .selectFrom('tag_aliases')
    .innerJoin('tags', 'tags.id', 'tag_aliases.tag_id')
    .select(['tag_aliases.name as former', 'tags.name']);
  const rows = await among(names, (some) => renamed.where('tag_aliases.name', 'in', some));
  return new Map(rows.map(({ former, name }) => [former, name]));
}

/**
 * Lists shown tags, most used first, then tags that only `userId` used, newest first, at most half of
 * `limit`.
 */
export async function listTagNames(db: Queryable, userId: string | null, limit: number): Promise<string[]> {
  const own = userId === null ? [] : await listOwnNames(db, userId, limit / 2);
  const listed = db
    .selectFrom('tags')
    .select('name')
    .where('is_listed', '=', LISTED)
    .where(isShown('all'))
    .orderBy('page_num', 'desc')
    .orderBy('id', 'desc')
    .limit(literal(limit - own.length));
  return [...(await valuesOf(listed)), ...own];
}

async function listOwnNames(db: Queryable, userId: string, limit: number): Promise<string[]> {
  const names = db.selectFrom('tags').select('name');
  const hidden = await names
    .where('is_listed', '=', HIDDEN)
    .where('creator_id', '=', userId)
    .where((eb) => eb.not(eb.exists(aliasOf(eb))))
    .orderBy('id', 'desc')
    .limit(literal(limit))
    .execute();
  const unshown = await names
    .where('is_listed', '=', LISTED)
    .where('page_num', '=', NONE)
    .where('made_by_name', '=', sql.lit<Flag>(0))
    .where((eb) => eb(hiddenUse(eb, userId), 'is not', null))
    .orderBy('page_num', 'desc')
    .orderBy('id', 'desc')
    .limit(literal(limit - hidden.length))
    .execute();
  return [...hidden, ...unshown].map((row) => row.name);
}

export async function countTags(db: Queryable, shown: ShownTags): Promise<number> {
  // Few tags have no public article, and they are at the end of the list's index.
  let unused = db
    .selectFrom('tags')
    .select(TOTAL)
    .where('is_listed', '=', LISTED)
    .where('page_num', '=', NONE);
  if (shown === 'all') unused = unused.where('made_by_name', '=', sql.lit<Flag>(0));
  return (await readTotal(db, 'listed_tags')) - (await countOf(unused));
}

/** Transfers a listed tag that is not shown to the account that creates a tag of the same name. */
export async function adoptTag(
  trx: Trx,
  id: string,
  tag: { description: CleanText; creator_id: string; update_time: number },
): Promise<void> {
  await trx
    .updateTable('tags')
    .set({ ...tag, made_by_name: 1 })
    .where('id', '=', id)
    .execute();
}

export async function insertTag(trx: Trx, tag: Omit<Insertable<TagsTable>, 'page_num'>): Promise<void> {
  await trx.insertInto('tags').values(tag).execute();
  if (tag.is_listed === 1) await addToListedCount(trx);
}

export async function listTag(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('tags').set({ is_listed: 1 }).where('id', '=', id).execute();
  await addToListedCount(trx);
}

/**
 * Moves the articles of hidden tags of that name to the listed tag `id`, and deletes the hidden tags. Tags
 * that are being merged (tag_aliases) are skipped: they have another target.
 */
export async function absorbHidden(trx: Trx, name: string, id: string): Promise<void> {
  const hidden = await trx
    .selectFrom('tags')
    .select('id')
    .where('name', '=', name)
    .where('is_listed', '=', HIDDEN)
    .where((eb) => eb.not(eb.exists(aliasOf(eb))))
    .execute();
  for (const { id: former } of hidden) {
    await trx
      .deleteFrom('article_tags')
      .where('tag_id', '=', former)
      .where('article_id', 'in', (eb) =>
        eb.selectFrom('article_tags').select('article_id').where('tag_id', '=', id),
      )
      .execute();
    await trx.updateTable('article_tags').set({ tag_id: id }).where('tag_id', '=', former).execute();
    await trx.deleteFrom('tags').where('id', '=', former).execute();
  }
}

/** Adds to the public article counter of each tag; a tag that loses its last one is no longer shown. */
export async function addToTagCounts(trx: Trx, ids: readonly string[], delta: number): Promise<void> {
  if (ids.length === 0) return;
  const change = trx
    .updateTable('tags')
    .set((eb) => ({ page_num: eb('page_num', '+', delta) }))
    .where('id', 'in', ids);
  await perform(
    trx,
    delta >= 0
      ? change
      : change.set((eb) => ({
          made_by_name: eb
            .case()
            .when('page_num', '<=', -delta)
            .then(sql.lit<Flag>(0))
            .else(eb.ref('made_by_name'))
            .end(),
        })),
  );
}

export const addToListedCount = (trx: Trx, delta = 1): Promise<void> => addToTotal(trx, 'listed_tags', delta);

export const TAG_NUMBERS: readonly StoredCounter[] = [
  {
    table: 'tags',
    key: 'id',
    column: 'page_num',
    truth: sql`select tag_id as key, count(*) as value from article_tags where is_public = 1 group by tag_id`,
  },
  {
    table: 'counters',
    key: 'name',
    column: 'value',
    truth: sql`select 'listed_tags' as key, count(*) as value from tags where is_listed = 1`,
    only: sql`counter.name = 'listed_tags'`,
  },
];

const newestOf = (eb: ExpressionBuilder<Schema, 'tags'>, at: number) =>
  eb
    .selectFrom('article_tags')
    .select('article_id')
    .whereRef('article_tags.tag_id', '=', 'tags.id')
    .where('article_tags.is_public', '=', LISTED)
    .orderBy('create_time', 'desc')
    .orderBy('article_id', 'desc')
    .limit(literal(1))
    .offset(literal(at));

/** Returns the two newest public articles of each of the tags `ids`, newest first, by tag id. */
export async function listLatest(db: Queryable, ids: readonly string[]) {
  const newest = db
    .selectFrom('tags')
    .select('tags.id')
    .select((eb) => [newestOf(eb, 0).as('first'), newestOf(eb, 1).as('second')]);
  const rows = await among(ids, (some) => newest.where('tags.id', 'in', some));
  const articleIds = rows.flatMap(({ first, second }) => [first ?? [], second ?? []].flat());
  const titles = db.selectFrom('articles').select(['id', 'title', LINKED_ADDRESS]).where(listedFor(null));
  const articles = await among(articleIds, (some) => titles.where('id', 'in', some));
  const byId = new Map(articles.map((article) => [article.id, article]));
  return new Map(
    rows.map(({ id, first, second }) => [id, [first, second].flatMap((each) => byId.get(each ?? '') ?? [])]),
  );
}

/** Lists the names of the listed tags used most in the `newest` newest public articles of the tag `id`. */
export function listRelatedNames(
  db: Queryable,
  id: string,
  { newest, limit }: { newest: number; limit: number },
): Promise<string[]> {
  const articles = db
    .selectFrom('article_tags')
    .select('article_id')
    .where('tag_id', '=', id)
    .where('is_public', '=', LISTED)
    .orderBy('create_time', 'desc')
    .orderBy('article_id', 'desc')
    .limit(literal(newest));
  return valuesOf(
    db
      .selectFrom(articles.as('newest'))
      .innerJoin('article_tags', 'article_tags.article_id', 'newest.article_id')
      .innerJoin('tags', 'tags.id', 'article_tags.tag_id')
      .select('tags.name')
      .where('article_tags.tag_id', '<>', id)
      .where('tags.is_listed', '=', LISTED)
      .groupBy(['tags.id', 'tags.name'])
      .orderBy((eb) => eb.fn.countAll(), 'desc')
      .orderBy('tags.id')
      .limit(literal(limit)),
  );
}

const isNamedBy = (eb: ExpressionBuilder<Schema, 'tags'>) =>
  eb.selectFrom('article_tags').select('article_id').whereRef('article_tags.tag_id', '=', 'tags.id');

/** Lists tags with the most public articles first; `is_used` counts drafts and secret articles too. */
export function readTags(db: Queryable, filter: CallInput<'staffTags'>) {
  const { keywords, show } = filter;
  let query = db.selectFrom('tags').where('tags.is_listed', '=', LISTED);
  if (keywords !== '')
    query = query.where((eb) =>
      eb.or([
        contains(keywords, 'tags.name', 'tags.description'),
        eb.exists(
          eb
            .selectFrom('tag_aliases')
            .select('tag_aliases.name')
            .whereRef('tag_aliases.tag_id', '=', 'tags.id')
            .where(contains(keywords, 'tag_aliases.name')),
        ),
      ]),
    );
  if (show === 'used') query = query.where('tags.page_num', '>', 0);
  if (show === 'empty') query = query.where('tags.page_num', '=', 0);
  if (show === 'undescribed') query = query.where('tags.description', '=', '');
  const listing = query
    .innerJoin('users', 'users.id', 'tags.creator_id')
    .select(['tags.id', 'tags.name', 'tags.description', 'tags.create_time', 'tags.page_num'])
    .select('users.username')
    .select((eb) => eb.exists(isNamedBy(eb)).as('is_used'))
    .orderBy('tags.page_num', 'desc')
    .orderBy('tags.id', 'desc');
  return readPage(filter, query.select(TOTAL), listing);
}

export function listAliases(db: Queryable, ids: readonly string[]) {
  const aliases = db
    .selectFrom('tag_aliases')
    .select(['name', 'tag_id', 'next_seq'])
    .orderBy('create_time')
    .orderBy('name');
  return among(ids, (some) => aliases.where('tag_id', 'in', some));
}

export async function findListed(db: Queryable, by: { id: string } | { name: string }) {
  const query = db
    .selectFrom('tags')
    .select(['id', 'name', 'description', 'creator_id', 'page_num'])
    .select((eb) => eb.exists(isNamedBy(eb)).as('is_used'))
    .where('is_listed', '=', LISTED);
  const found = 'id' in by ? query.where('id', '=', by.id) : query.where('name', '=', by.name);
  const row = await found.executeTakeFirst();
  return row ? { ...row, is_used: Boolean(row.is_used) } : null;
}

export type ListedTag = NonNullable<Awaited<ReturnType<typeof findListed>>>;

export const findAliased = (db: Queryable, name: string): Promise<{ tag_id: string } | null> =>
  firstOf(db.selectFrom('tag_aliases').select('tag_id').where('name', '=', name));

export async function changeTag(
  trx: Trx,
  id: string,
  changes: { name: CleanText } | { description: CleanText },
  now: number,
): Promise<void> {
  await trx
    .updateTable('tags')
    .set({ ...changes, update_time: now })
    .where('id', '=', id)
    .execute();
}

/** Makes a name an alias of the tag `tag_id`, together with all aliases of `former_id`. */
export async function putAlias(
  trx: Trx,
  alias: { name: string; tag_id: string; former_id: string | null; create_time: number },
): Promise<void> {
  await trx
    .insertInto('tag_aliases')
    .values({ ...alias, next_seq: 0 })
    .execute();
  if (alias.former_id === null) return;
  await trx
    .updateTable('tag_aliases')
    .set({ tag_id: alias.tag_id })
    .where('tag_id', '=', alias.former_id)
    .execute();
}

export async function deleteAlias(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('tag_aliases').where('name', '=', name).execute();
}

/** Removes a tag that is being merged from all lists; it is deleted once no article uses it. */
export async function unlist(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('tags').set({ is_listed: 0 }).where('id', '=', id).execute();
}

export async function deleteTag(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('tags').where('id', '=', id).execute();
}
