import { SLUG_BOUNDS } from '../../../contract/rules/slugs.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import type { ArticleState } from '../core/article-queries.ts';
import * as queries from './slug-queries.ts';
import { suggestSlug, takeCharacters } from './suggest-slug.ts';

/** Numbers that are tried before the article's id is added instead: `-2` to `-20`. */
const MAX_NUMBER = 20;

/** Yields a slug and others like it, the last with the id of its article. */
export function* variantsOf(slug: string, id: string): Generator<string> {
  const withEnd = (end: string) => takeCharacters(slug, SLUG_BOUNDS[1] - end.length) + end;
  yield slug;
  for (let number = 2; number <= MAX_NUMBER; number++) yield withEnd(`-${number}`);
  yield withEnd(`-${id}`);
}

/** Returns a slug like `slug` that no other article has; '' for ''. */
export async function findFreeSlug(db: Queryable, slug: string, id: string): Promise<string> {
  if (slug === '') return '';
  const [free = id] = await listFreeSlugs(db, [...variantsOf(slug, id)], id);
  return free;
}

/** Returns those of `slugs` that no other article has or had. */
export async function listFreeSlugs(db: Queryable, slugs: readonly string[], id: string): Promise<string[]> {
  const taken = new Set(slugs.length === 0 ? [] : await queries.listTaken(db, slugs, id));
  return slugs.filter((slug) => !taken.has(slug));
}

/** Whether an article can have a slug, or none. */
export async function isSlugFree(db: Queryable, slug: string, id: string): Promise<boolean> {
  const holder = slug === '' ? null : await queries.findHolder(db, slug);
  return holder === null || holder === id;
}

type Slugged = Pick<ArticleState, 'id' | 'title' | 'slug' | 'address' | 'is_public' | 'was_published'>;

/**
 * Gives an article the slug that its author has chosen, and a public one without any the slug of its title;
 * returns it. Former slugs of published articles stay theirs. Refuses with SLUG_TAKEN.
 * @param before null for a new article
 * @param known slug on the site that it is imported from; another one like it if that is taken
 */
export async function settleSlug(
  trx: Trx,
  before: Slugged | null,
  after: Slugged,
  known = '',
): Promise<string> {
  const { id, slug, address } = after;
  const wasPublished = before?.was_published === 1;
  const isUnchosen = slug === '' && before !== null && before.slug !== '' && !wasPublished;
  const present = isUnchosen ? '' : address;
  let next = slug === '' ? present : slug;
  if (next === '' && (known !== '' || after.is_public === 1))
    next = await findFreeSlug(trx, known === '' ? await suggestSlug(after.title) : known, id);
  if (next === address) return address;
  if (next !== '' && !(await queries.claimSlug(trx, next, id))) refuse('SLUG_TAKEN', { field: 'slug' });
  if (address !== '' && !wasPublished) await queries.releaseSlug(trx, address);
  await queries.putAddress(trx, id, next);
  return next;
}
