import type { Element, ElementContent, Root, RootContent } from 'hast';
import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Paragraph,
  RootContent as Block,
} from 'mdast';
import { isElement } from '../elements.ts';
import { steps } from '../pipeline.ts';
import { walk } from '../walk.ts';

export interface PartContext {
  addresses: readonly Definition[];
  /**
   * Identifiers of the footnotes referred to before the part, in reading order; `notes` are all footnotes of
   * the article.
   */
  notesBefore: readonly string[];
  notes: readonly string[];
  /** Whether to parse as if the part had raw HTML, because the article has some elsewhere. */
  hasRaw: boolean;
  /** Whether nothing precedes the part: the HTML parser is more lenient at the very start. */
  isFirst: boolean;
}

/**
 * Marker element after a part. HTML parsers do not know its name, so it ends up inside elements that are
 * still open.
 */
const END = 'moye-end';
const end = (): Paragraph => ({
  type: 'paragraph',
  data: { hName: END },
  children: [{ type: 'text', value: '.' }],
});

/** Whether `blocks` contain raw HTML, except in footnote definitions. */
export function hasHtml(blocks: readonly Block[]): boolean {
  let found = false;
  walk<Block>({ children: [...blocks] }, ({ type }) => {
    found ||= type === 'html';
    return type === 'footnoteDefinition' ? 'skip' : undefined;
  });
  return found;
}

/** Whether raw HTML in `blocks` closes all it opens, so what follows is not inside it. */
export function isClosed(blocks: readonly Block[], text: string): boolean {
  if (!hasHtml(blocks)) return true;
  const tree = steps.toElements({ type: 'root', children: [...structuredClone(blocks), end()] });
  const last = steps.parseRaw(tree, text).children.at(-1);
  return isElement(last, END) && last.children.length === 1 && last.children[0]?.type === 'text';
}

/**
 * Returns the sanitised elements of a part, as in the whole article; null if it shows nothing.
 * @param blocks the blocks of the part, with positions in `text`; modified
 * @param isOpen whether the article ends inside raw HTML of this part
 */
export function partElements(
  blocks: Block[],
  text: string,
  { addresses, notesBefore, notes, hasRaw, isFirst }: PartContext,
  isOpen: boolean,
): RootContent[] | null {
  const stubs = notes.map((identifier): FootnoteDefinition => ({
    type: 'footnoteDefinition',
    identifier,
    children: [],
  }));
  const needsBefore = notesBefore.length > 0 || (!isFirst && hasHtml(blocks));
  const before = needsBefore ? [markParagraph(notesBefore)] : [];
  const ends = isOpen ? [] : [end()];
  const tree = steps.toElements({
    type: 'root',
    children: [...addresses, ...stubs, ...before, ...blocks, ...ends],
  });
  // Line ends separate the elements. If there is nothing else, the part shows nothing.
  const own = tree.children.findIndex((node) => isElement(node, END));
  if (own === before.length * 2 || tree.children.length === 0) return null;
  const children = steps.parseRaw(tree, text, hasRaw).children;
  const last = children.findIndex((node) => isElement(node, END));
  const cut = children.slice(before.length, last < 0 ? undefined : last);
  if (before.length > 0) dropLineEnd(cut, 0, /^\n/);
  if (last >= 0) dropLineEnd(cut, cut.length - 1, /\n$/);
  return steps.sanitise({ type: 'root', children: cut }).children;
}

/**
 * Returns the section of the footnotes that `marks` refer to, in reading order; `hasRaw` as in `PartContext`.
 */
export function notesElement(
  marks: readonly string[],
  defining: readonly Block[],
  hasRaw: boolean,
): Element | undefined {
  const tree = steps.toElements({
    type: 'root',
    children: [...structuredClone(defining), markParagraph(marks)],
  });
  const section = steps.parseRaw(tree, '', hasRaw).children.findLast((node) => isElement(node, 'section'));
  const safe = section && steps.sanitise({ type: 'root', children: [section] }).children[0];
  return isElement(safe) ? safe : undefined;
}

const markParagraph = (identifiers: readonly string[]): Paragraph => ({
  type: 'paragraph',
  children: identifiers.map((identifier): FootnoteReference => ({ type: 'footnoteReference', identifier })),
});

/** Removes the line end between a part and what was put around it; the HTML parser merges adjacent text. */
function dropLineEnd(nodes: (RootContent | ElementContent)[], index: number, lineEnd: RegExp): void {
  const node = nodes[index];
  if (node?.type !== 'text') return;
  node.value = node.value.replace(lineEnd, '');
  if (node.value === '') nodes.splice(index, 1);
}

export const rootOf = (children: RootContent[]): Root => ({ type: 'root', children });
