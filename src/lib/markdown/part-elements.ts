import type { Element, ElementContent, Root, RootContent } from 'hast';
import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Paragraph,
  RootContent as Block,
} from 'mdast';
import { isElement } from './elements.ts';
import { steps } from './pipeline.ts';
import { walk } from './walk.ts';

/** Of the rest of the article, what the HTML of a part depends on. */
export interface PartContext {
  /** Addresses it uses. */
  addresses: readonly Definition[];
  /** Identifiers of the notes referred to before it, in reading order, and of all notes there are. */
  notesBefore: readonly string[];
  notes: readonly string[];
  /** Whether it is to be parsed as the whole is where that has raw HTML. */
  hasRaw: boolean;
  /** Whether nothing stands before it: at its very start the HTML parser is more forgiving. */
  isFirst: boolean;
}

/** Stands after a part. No parser knows its name, so it stays where what is open is still open. */
const END = 'moye-end';
const end = (): Paragraph => ({
  type: 'paragraph',
  data: { hName: END },
  children: [{ type: 'text', value: '.' }],
});

/** Whether there is raw HTML among `blocks`, not counting the notes' own texts. */
export function hasHtml(blocks: readonly Block[]): boolean {
  let found = false;
  walk<Block>({ children: [...blocks] }, ({ type }) => {
    found ||= type === 'html';
    return type === 'footnoteDefinition' ? 'skip' : undefined;
  });
  return found;
}

/** Whether raw HTML among `blocks` closes all that it opens: what comes next is not inside it. */
export function isClosed(blocks: readonly Block[], text: string): boolean {
  if (!hasHtml(blocks)) return true;
  const tree = steps.toElements({ type: 'root', children: [...structuredClone(blocks), end()] });
  const last = steps.parseRaw(tree, text).children.at(-1);
  return isElement(last, END) && last.children.length === 1 && last.children[0]?.type === 'text';
}

/**
 * The sanitised elements of a part, as they are in the whole article; null where it shows nothing.
 * @param blocks of the part, with positions in `text`; changed
 * @param isOpen whether it ends with the article in the middle of raw HTML
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
  // Line ends stand between; with nothing else there is nothing.
  const own = tree.children.findIndex((node) => isElement(node, END));
  if (own === before.length * 2 || tree.children.length === 0) return null;
  const children = steps.parseRaw(tree, text, hasRaw).children;
  const last = children.findIndex((node) => isElement(node, END));
  const cut = children.slice(before.length, last < 0 ? undefined : last);
  if (before.length > 0) dropLineEnd(cut, 0, /^\n/);
  if (last >= 0) dropLineEnd(cut, cut.length - 1, /\n$/);
  return steps.sanitise({ type: 'root', children: cut }).children;
}

/** The section of the notes that `marks` refer to, in reading order; `hasRaw` as in `PartContext`. */
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

/** Takes away the line end between a part and what is put around it: the HTML parser joins texts. */
function dropLineEnd(nodes: (RootContent | ElementContent)[], index: number, lineEnd: RegExp): void {
  const node = nodes[index];
  if (node?.type !== 'text') return;
  node.value = node.value.replace(lineEnd, '');
  if (node.value === '') nodes.splice(index, 1);
}

/** A tree of `children`. */
export const rootOf = (children: RootContent[]): Root => ({ type: 'root', children });
