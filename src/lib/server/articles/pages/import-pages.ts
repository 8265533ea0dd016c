import {
  inTreeOrder,
  MAX_PAGE_DEPTH,
  MAX_PAGES,
  pagesAbove,
  type Placed,
} from '../../../contract/rules/page-tree.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { variantsOf } from '../slugs/settle-slug.ts';
import { suggestSlug } from '../slugs/suggest-slug.ts';
import * as queries from './page-queries.ts';

/** Refuses with SLUG_TAKEN a slug of another page, also of one in the trash. A former slug is free. */
export async function takeSlug(trx: Trx, slug: string): Promise<void> {
  if (await queries.isTaken(trx, slug))
    refuse('SLUG_TAKEN', { text: '这个地址已经有别的页面用了，它也可能在回收站里', field: 'slug' });
  await queries.deleteFormerSlug(trx, slug);
}

/** Refuses a new page with SLUG_TAKEN, or with FIELD_INVALID if there are too many. */
export async function makeRoom(trx: Trx, slug: string, isPostgres: boolean): Promise<void> {
  await queries.lockPages(trx, isPostgres);
  if ((await queries.countPages(trx)) >= MAX_PAGES)
    refuse('FIELD_INVALID', { text: `页面最多 ${MAX_PAGES} 个` });
  await takeSlug(trx, slug);
}

/** A page of another site; `id` and `parent` are ids that the pages have here. */
export interface ForeignPage extends Placed {
  title: string;
  /** Its slug there; '' if unknown. */
  slug: string;
  order: number;
  /** Whether no earlier run has written it. */
  isNew: boolean;
}

export interface PlannedPage {
  slug: string;
  parent: string;
  position: number;
  /** Chinese sentences about what differs from the other site. */
  warnings: string[];
}

/**
 * Gives pages of another site free slugs and places below the pages of this one, by id. A page that would be
 * below itself, too deep or below a missing page moves up. Pages of an earlier run keep their slugs; one that
 * is an article here has no place.
 * @param pages in the order of their site
 */
export async function planPages(
  db: Queryable,
  pages: readonly ForeignPage[],
): Promise<Map<string, PlannedPage>> {
  const { present, former } = await queries.listSlugs(db);
  const own = new Map(Array.from(present, ([slug, id]) => [id, slug]));
  const taken = new Map([...former, ...present]);
  const last = await queries.findLastPosition(db);
  const reached = new Set(inTreeOrder(pages).map(({ id }) => id));
  const planned = new Map<string, PlannedPage>();
  for (const [index, page] of pages.toSorted((a, b) => a.order - b.order).entries()) {
    const above = reached.has(page.id) ? pagesAbove(pages, page) : [];
    const parent = above.slice(0, MAX_PAGE_DEPTH - 1).at(-1)?.id ?? '';
    const place = { parent, position: last + index + 1 };
    const kept = own.get(page.id);
    if (kept !== undefined) planned.set(page.id, { slug: kept, ...place, warnings: [] });
    if (kept !== undefined || !page.isNew) continue;
    const wanted = page.slug || (await suggestSlug(page.title)) || page.id;
    const slug = variantsOf(wanted, page.id).find((each) => !taken.has(each)) ?? page.id;
    taken.set(slug, page.id);
    const warnings = [
      ...(slug === wanted ? [] : [`页面的地址 ${wanted} 已有别的页面用了，改成了 ${slug}`]),
      ...(parent === page.parent ? [] : ['不能放在原来的上级页面下面，移到了更上一层']),
    ];
    planned.set(page.id, { slug, ...place, warnings });
  }
  return planned;
}
