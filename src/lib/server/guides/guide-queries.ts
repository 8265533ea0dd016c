import { foldName } from '../../contract/rules/names.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { addToTotal } from '../db/stored-counters.ts';
import { addToListedCount } from '../tags/tag-queries.ts';

/** Returns the account of that name, with fields that its owner and staff can change; null without one. */
export async function findAccount(db: Queryable, username: string) {
  const account = await db
    .selectFrom('users')
    .select(['id', 'bio', 'role', 'avatar'])
    .where('username_key', '=', foldName(username))
    .executeTakeFirst();
  return account ?? null;
}

/** Returns up to `limit` articles of any author and state. */
export const listArticles = (db: Queryable, limit: number) =>
  db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(['articles.id', 'author_id', 'status', 'title', 'content'])
    .limit(limit)
    .execute();

/** Whether the site has comments, or the account has series, pictures or sign-ins. */
export async function isUsed(db: Queryable, accountId: string): Promise<boolean> {
  const { used } = await db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('comments').select('id')),
          eb.exists(eb.selectFrom('withheld_comments').select('id')),
          eb.exists(eb.selectFrom('series').select('id').where('author_id', '=', accountId)),
          eb.exists(eb.selectFrom('files').select('name').where('owner_id', '=', accountId)),
          eb.exists(eb.selectFrom('signins').select('id').where('user_id', '=', accountId)),
        ])
        .as('used'),
    )
    .executeTakeFirstOrThrow();
  return Boolean(used);
}

/** Deletes an account without articles, with its tags that nothing uses. */
export async function deleteAccount(trx: Trx, id: string): Promise<void> {
  const tags = await trx
    .deleteFrom('tags')
    .where('creator_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('article_tags').select('tag_id').whereRef('tag_id', '=', 'tags.id'))),
    )
    .returning('is_listed')
    .execute();
  await addToListedCount(trx, -tags.filter((tag) => tag.is_listed === 1).length);
  await trx.deleteFrom('quota_uses').where('user_id', '=', id).execute();
  await trx.deleteFrom('users').where('id', '=', id).execute();
  await addToTotal(trx, 'users', -1);
}
