import type { PieceChange } from './preview-change.ts';

/**
 * Pieces that are laid out, watched and hit as one: what the browser does on every frame for each box whose
 * visibility it minds, it does for a hundred groups then, not for thousands of blocks. A group takes twice as
 * many before it is split.
 */
const GROUP = 16;

interface Group {
  /** Looks like an article of its own. */
  readonly element: HTMLElement;
  /** In place of the block before it, unseen: what spacing goes by. Null in the first group. */
  standIn: HTMLElement | null;
  readonly pieces: ChildNode[][];
}

/** Sanitised HTML in a container, in groups of pieces (`.prose`). */
export interface Pieces {
  change(change: PieceChange): void;
  /** The elements at the top of the article, group by group. */
  elements(): { group: HTMLElement; elements: Element[] }[];
}

/** Fills `container`, which must be empty and is nobody else's. */
export function createPieces(container: HTMLElement): Pieces {
  const groups: Group[] = [];

  /** Takes pieces away; groups that have none left go too. */
  function remove(at: number, count: number): void {
    let [begin, left] = [at, count];
    for (let index = 0; index < groups.length && left > 0;) {
      const group = groups[index];
      if (!group) return;
      const size = group.pieces.length;
      const gone = begin < size ? group.pieces.splice(begin, left) : [];
      for (const node of gone.flat()) node.remove();
      left -= gone.length;
      begin = Math.max(begin - size, 0);
      if (group.pieces.length > 0) index++;
      else groups.splice(index, 1)[0]?.element.remove();
    }
  }

  function insert(at: number, pieces: ChildNode[][]): void {
    let [index, offset] = [0, at];
    for (; index < groups.length - 1 && offset > sizeOf(groups[index]); index++)
      offset -= sizeOf(groups[index]);
    const group = groups[index];
    if (group && sizeOf(group) + pieces.length <= GROUP * 2) return fill(group, offset, pieces);
    const behind = group?.pieces.splice(offset) ?? [];
    const fresh = [...chunks(pieces), ...(behind.length > 0 ? [behind] : [])].map(groupOf);
    const before = group && offset > 0 ? index + 1 : index;
    container.insertBefore(fragmentOf(fresh.map(({ element }) => element)), elementOf(groups[before]));
    groups.splice(before, 0, ...fresh);
    if (group?.pieces.length === 0) {
      groups.splice(groups.indexOf(group), 1);
      group.element.remove();
    }
  }

  return {
    change({ at, removed, added }) {
      remove(at, removed);
      if (added.length > 0) insert(at, added.map(parse));
      groups.forEach((group, index) => setStandIn(group, groups[index - 1]));
    },
    elements: () =>
      groups.map(({ element, standIn }) => ({
        group: element,
        elements: [...element.children].filter((each) => each !== standIn),
      })),
  };
}

function parse(html: string): ChildNode[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  return [...template.content.childNodes];
}

const sizeOf = (group: Group | undefined): number => group?.pieces.length ?? 0;
const elementOf = (group: Group | undefined): HTMLElement | null => group?.element ?? null;

function fragmentOf(nodes: readonly Node[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes);
  return fragment;
}

function groupOf(pieces: ChildNode[][]): Group {
  const element = document.createElement('div');
  element.className = 'prose';
  element.append(...pieces.flat());
  return { element, standIn: null, pieces };
}

function fill({ element, pieces }: Group, offset: number, added: ChildNode[][]): void {
  const after = pieces.slice(offset).find((each) => each.length > 0)?.[0] ?? null;
  element.insertBefore(fragmentOf(added.flat()), after);
  pieces.splice(offset, 0, ...added);
}

const chunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );

/** Lets the first block of a group stand as far from the one before it as in an article of one piece. */
function setStandIn(group: Group, before: Group | undefined): void {
  const last = before?.element.lastElementChild;
  const name = last && (/^H[1-6]$/.test(last.tagName) ? 'h6' : 'p');
  if (group.standIn?.localName === name || (!group.standIn && !name)) return;
  group.standIn?.remove();
  group.standIn = null;
  if (!name) return;
  group.standIn = document.createElement(name);
  group.standIn.hidden = true;
  group.element.prepend(group.standIn);
}
