import { foldName } from '../../contract/rules/names.ts';
import { countChanged, valuesOf } from '../db/lists.ts';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { AccountSchema } from '../db/schema/account-schema.ts';
import type { UserService } from '../users/user-service.ts';
import { addToTotal } from '../db/stored-counters.ts';

/**
 * Ids of at most `limit` undeleted articles of a user, without pages, which are the site's; with
 * `isHiddenOnly` only those that no one else sees.
 */
export function listArticles(
  db: Queryable,
  userId: string,
  { isHiddenOnly, limit }: { isHiddenOnly: boolean; limit: number },
): Promise<string[]> {
  let own = db
    .selectFrom('articles')
    .select('id')
    .where('author_id', '=', userId)
    .where('is_page', '=', 0)
    .where('status', '!=', 'cancel');
  if (isHiddenOnly) own = own.where('is_public', '=', 0);
  return valuesOf(own.orderBy('id').limit(limit));
}

export const listRevised = (db: Queryable, userId: string): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('article_revisions')
      .innerJoin('articles', 'articles.id', 'article_revisions.article_id')
      .select('article_id as id')
      .where('author_id', '=', userId)
      .where('is_page', '=', 0),
  );

/** Ids of at most `limit` comments of a user; in `withheld_comments` are those that only the user sees. */
export const listComments = (
  db: Queryable,
  userId: string,
  { table, limit }: { table: 'comments' | 'withheld_comments'; limit: number },
): Promise<string[]> =>
  valuesOf(db.selectFrom(table).select('id').where('author_id', '=', userId).orderBy('id').limit(limit));

type Closing = AccountSchema['closings'];

export const findClosing = (db: Queryable, userId: string): Promise<Closing | undefined> =>
  db.selectFrom('closings').selectAll().where('user_id', '=', userId).executeTakeFirst();

const selectPending = (db: Queryable) =>
  db
    .selectFrom('closings')
    .innerJoin('users', 'users.id', 'closings.user_id')
    .select(['users.id', 'users.username', 'users.role', 'closings.contents']);

export const findClosingByHash = (db: Queryable, hash: string) =>
  selectPending(db).where('closings.hash', '=', hash).executeTakeFirst();

/** Accounts that are due to be closed. Staff is left until it steps down. */
export const listDue = (db: Queryable, instant: number, limit: number) =>
  selectPending(db)
    .where('closings.due_time', '<=', instant)
    .where('users.role', '=', 'author')
    .orderBy('closings.due_time')
    .limit(limit)
    .execute();

export async function insertClosing(trx: Trx, row: Closing): Promise<void> {
  await trx
    .insertInto('closings')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Changes what happens to public content; returns whether the account is to be closed. */
export const changeContents = async (
  trx: Trx,
  userId: string,
  contents: Closing['contents'],
): Promise<boolean> =>
  (await countChanged(trx.updateTable('closings').set({ contents }).where('user_id', '=', userId))) > 0;

const begunHash = (userId: string): string => `begun ${userId}`;

/** Begins a closing, after which it cannot be stopped and its link is over; false if it was stopped. */
export const beginClosing = async (trx: Trx, userId: string): Promise<boolean> =>
  (await countChanged(
    trx
      .updateTable('closings')
      .set({ hash: begunHash(userId) })
      .where('user_id', '=', userId),
  )) > 0;

/** Stops a closing that has not begun; returns whether there was one. */
export const stopClosing = async (trx: Trx, userId: string): Promise<boolean> =>
  (await countChanged(
    trx.deleteFrom('closings').where('user_id', '=', userId).where('hash', '!=', begunHash(userId)),
  )) > 0;

/**
 * Deletes earlier versions of a user's articles, read marks, notifications, known sign-in places,
 * identities, imports and synced files.
 */
export async function deletePrivate(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('article_versions')
    .where('article_id', 'in', (eb) =>
      eb.selectFrom('articles').select('id').where('author_id', '=', userId).where('is_page', '=', 0),
    )
    .execute();
  await trx.deleteFrom('comment_recipients').where('user_id', '=', userId).execute();
  await trx.deleteFrom('pending_changes').where('author_id', '=', userId).execute();
  await trx.deleteFrom('notifications').where('recipient_id', '=', userId).execute();
  await trx.deleteFrom('closings').where('user_id', '=', userId).execute();
  await trx.deleteFrom('known_places').where('user_id', '=', userId).execute();
  await trx.deleteFrom('identities').where('user_id', '=', userId).execute();
  await trx.deleteFrom('imports').where('owner_id', '=', userId).execute();
  await trx.deleteFrom('synced_files').where('owner_id', '=', userId).execute();
}

/** Marks an account as closed; returns whether it was open. Other processes that close it wait for `trx`. */
export const markClosed = async (trx: Trx, userId: string, closed: 'kept' | 'removed'): Promise<boolean> =>
  (await countChanged(
    trx.updateTable('users').set({ closed }).where('id', '=', userId).where('closed', '=', ''),
  )) > 0;

/** Anonymizes an account: gives it another name, and removes its credentials and personal data. */
export async function anonymizeUser(
  trx: Trx,
  userId: string,
  { username, names }: { username: CleanText; names: ReturnType<UserService['onlyNamed']> },
): Promise<void> {
  const empty = asClean('', 'site');
  await trx
    .updateTable('users')
    .set({
      username,
      username_key: foldName(username),
      ...names,
      password_hash: '',
      gender: 'x',
      bio: empty,
      website: empty,
      links: asClean('[]', 'site'),
      avatar: '',
      thanks: '',
    })
    .where('id', '=', userId)
    .execute();
  await addToTotal(trx, 'users', -1);
}
