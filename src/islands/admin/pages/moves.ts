import { inTreeOrder, pagesAbove, treeProblem, type Placed } from '../../../lib/contract/rules/page-tree.ts';

type Move = 'up' | 'down' | 'in' | 'out';

/**
 * Returns the tree with a page, and all pages below it, under `parent`, before the page `before` or last.
 * Null if that is no tree, or changes nothing.
 */
export function place<T extends Placed>(
  pages: readonly T[],
  id: string,
  { parent, before }: { parent: string; before: string | null },
): T[] | null {
  const page = pages.find((each) => each.id === id);
  if (!page || before === id) return null;
  const others = pages.filter((each) => each.id !== id);
  const at = before === null ? others.length : others.findIndex((each) => each.id === before);
  const moved = others.toSpliced(at, 0, { ...page, parent });
  if (treeProblem(moved) !== null) return null;
  const ordered = inTreeOrder(moved);
  return ordered.every((each, index) => each.id === pages[index]?.id && each.parent === pages[index].parent)
    ? null
    : ordered;
}

/** Returns the tree after a step of a page among its siblings or levels; null if there is no such step. */
export function step<T extends Placed>(pages: readonly T[], id: string, move: Move): T[] | null {
  const page = pages.find((each) => each.id === id);
  if (!page) return null;
  const beside = (one: T) => {
    const siblings = pages.filter(({ parent }) => parent === one.parent);
    const at = siblings.indexOf(one);
    return { previous: siblings[at - 1], next: siblings[at + 1], afterNext: siblings[at + 2] };
  };
  const { previous, next, afterNext } = beside(page);
  if (move === 'up') return previous ? place(pages, id, { parent: page.parent, before: previous.id }) : null;
  if (move === 'down')
    return next ? place(pages, id, { parent: page.parent, before: afterNext?.id ?? null }) : null;
  if (move === 'in') return previous ? place(pages, id, { parent: previous.id, before: null }) : null;
  const above = pagesAbove(pages, page).at(-1);
  return above ? place(pages, id, { parent: above.parent, before: beside(above).next?.id ?? null }) : null;
}
