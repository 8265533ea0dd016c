import { LINKED_ADDRESS } from '../../db/article-address.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { among, firstOf, firstValue, valuesOf } from '../../db/lists.ts';
import { perform } from '../../db/perform.ts';
import { PUBLIC, visibleTo, type Reader } from '../../db/visibility.ts';

/** Returns the article that has or had a slug and its present one, if the viewer may see the article. */
export const findBySlug = (db: Queryable, slug: string, viewer: Reader | null) =>
  firstOf(
    db
      .selectFrom('article_slugs')
      .innerJoin('articles', 'articles.id', 'article_slugs.article_id')
      .select(['articles.id', 'articles.address as slug'])
      .where('article_slugs.slug', '=', slug)
      .where(visibleTo(viewer)),
  );

/** Returns the `address` of each article, '' for those that are linked by id. */
export async function listAddresses(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const articles = db.selectFrom('articles').select(['id', LINKED_ADDRESS]);
  const rows = await among(ids, (some) => articles.where('id', 'in', some));
  return new Map(rows.map(({ id, address }) => [id, address]));
}

/** Returns the id of the article that has or had a slug, or null. */
export const findHolder = (db: Queryable, slug: string): Promise<string | null> =>
  firstValue(db.selectFrom('article_slugs').select('article_id').where('slug', '=', slug));

/** Those of `slugs` that articles other than `id` have or had. */
export const listTaken = (db: Queryable, slugs: readonly string[], id: string): Promise<string[]> =>
  valuesOf(
    db.selectFrom('article_slugs').select('slug').where('slug', 'in', slugs).where('article_id', '<>', id),
  );

/** Gives a slug to an article unless another one has it; returns whether the article has it now. */
export async function claimSlug(trx: Trx, slug: string, article_id: string): Promise<boolean> {
  await trx
    .insertInto('article_slugs')
    .values({ slug, article_id })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute();
  return (await findHolder(trx, slug)) === article_id;
}

export const releaseSlug = (trx: Trx, slug: string): Promise<void> =>
  perform(trx, trx.deleteFrom('article_slugs').where('slug', '=', slug));

export const putAddress = (trx: Trx, id: string, address: string): Promise<void> =>
  perform(trx, trx.updateTable('articles').set({ address }).where('id', '=', id));

/** Ids of the public articles without a slug in a range of `seq`. */
export const listWithout = (db: Queryable, { after, to }: { after: number; to: number }): Promise<string[]> =>
  valuesOf(
    db
      .selectFrom('articles')
      .select('id')
      .where('seq', '>', after)
      .where('seq', '<=', to)
      .where('is_public', '=', PUBLIC)
      .where('address', '=', ''),
  );
