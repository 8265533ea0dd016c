/** Maximum pages of a site, and maximum levels of their tree. */
export const MAX_PAGES = 200;
export const MAX_PAGE_DEPTH = 3;
/** `type` of the article that is a page; it needs no tag. */
export const PAGE_TYPE = 'page';

export interface Placed {
  id: string;
  /** '' at the top. */
  parent: string;
}

/** Returns the pages above one, the topmost first; ends at a page that was met before. */
export function pagesAbove<T extends Placed>(pages: readonly T[], { parent, id }: Placed): T[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const above: T[] = [];
  const met = new Set([id]);
  for (let page = byId.get(parent); page && !met.has(page.id); page = byId.get(page.parent)) {
    met.add(page.id);
    above.unshift(page);
  }
  return above;
}

/** Returns the pages in the order of their tree; pages whose parent is missing are at the top. */
export function inTreeOrder<T extends Placed>(pages: readonly T[]): T[] {
  const known = new Set(pages.map(({ id }) => id));
  const byParent = Map.groupBy(pages, ({ parent }) => (known.has(parent) ? parent : ''));
  const below = (parent: string): T[] =>
    (byParent.get(parent) ?? []).flatMap((page) => [{ ...page, parent }, ...below(page.id)]);
  return below('');
}

/** Returns what is wrong with a tree, in Chinese; null if it is one. */
export function treeProblem(pages: readonly Placed[]): string | null {
  const ids = new Set(pages.map(({ id }) => id));
  if (ids.size !== pages.length) return '同一个页面列了两次';
  if (pages.some(({ parent }) => parent !== '' && !ids.has(parent))) return '上级页面不存在';
  if (inTreeOrder(pages).length !== pages.length) return '页面不能在自己下面';
  const isDeep = pages.some((page) => pagesAbove(pages, page).length >= MAX_PAGE_DEPTH);
  return isDeep ? `页面最多 ${MAX_PAGE_DEPTH} 层` : null;
}
