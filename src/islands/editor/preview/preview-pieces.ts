import type { PieceChange } from './preview-change.ts';

/**
 * Pieces per group. Groups have `content-visibility`, so browsers check the visibility of about a hundred
 * groups per frame instead of thousands of blocks. A group is split at twice this size.
 */
const GROUP_SIZE = 16;

interface Group {
  readonly element: HTMLElement;
  /**
   * Hidden element of the previous block's type, on which the spacing of the first piece depends. Null in the
   * first group.
   */
  standIn: HTMLElement | null;
  readonly pieces: ChildNode[][];
}

/** Sanitised HTML in a container, as groups of pieces (`.prose`). */
export type Pieces = ReturnType<typeof createPieces>;

/** Manages the contents of `container`, which must be empty and used by nothing else. */
export function createPieces(container: HTMLElement) {
  const groups: Group[] = [];

  function remove(at: number, count: number): void {
    let [begin, left] = [at, count];
    for (let index = 0; index < groups.length && left > 0;) {
      const group = groups[index];
      if (!group) return;
      const size = group.pieces.length;
      const removed = begin < size ? group.pieces.splice(begin, left) : [];
      for (const node of removed.flat()) node.remove();
      left -= removed.length;
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
    if (group && sizeOf(group) + pieces.length <= GROUP_SIZE * 2) return fill(group, offset, pieces);
    const behind = group?.pieces.splice(offset) ?? [];
    const fresh = [...chunks(pieces), ...(behind.length > 0 ? [behind] : [])].map(groupOf);
    const before = group && offset > 0 ? index + 1 : index;
    insertBefore(
      container,
      groups[before]?.element,
      fresh.map(({ element }) => element),
    );
    groups.splice(before, 0, ...fresh);
    if (group?.pieces.length === 0) {
      groups.splice(groups.indexOf(group), 1);
      group.element.remove();
    }
  }

  return {
    change({ at, removed, added }: PieceChange): void {
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

/** Inserts nodes before `next`, or at the end of `parent` without it. */
function insertBefore(parent: Element, next: ChildNode | undefined, nodes: readonly Node[]): void {
  if (next) next.before(...nodes);
  else parent.append(...nodes);
}

function groupOf(pieces: ChildNode[][]): Group {
  const element = document.createElement('div');
  element.className = 'prose';
  element.append(...pieces.flat());
  return { element, standIn: null, pieces };
}

function fill({ element, pieces }: Group, offset: number, added: ChildNode[][]): void {
  const next = pieces.slice(offset).find((each) => each.length > 0)?.[0];
  insertBefore(element, next, added.flat());
  pieces.splice(offset, 0, ...added);
}

const chunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / GROUP_SIZE) }, (_, index) =>
    items.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
  );

/** Gives the first block of a group the same distance from the previous block as in an ungrouped article. */
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
