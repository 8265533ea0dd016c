import type { Blockquote, Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from './walk.ts';

/** What begins a line that explains the term above it. A full-width colon never does. */
const MARK = /^:[ \t]+/;
const MARKED_LINE = /\n:[ \t]/;

/**
 * Plugin: lines that begin with `: ` explain the line above them, as in PHP Markdown Extra; such paragraphs
 * one after the other are one list. Must run before remark-breaks. A syntax of micromark's would know
 * definitions of several blocks; the one there is takes time that grows with the square of the text.
 */
export function remarkDefinitionLists() {
  return (tree: Root): void => {
    readLists(tree);
    walk<RootContent>(tree, (node) => {
      if ('children' in node) readLists(node);
    });
  };
}

/** Whether `node` is a paragraph that explains terms. */
export function isDefinitionList(node: Nodes | undefined): node is Paragraph {
  if (node?.type !== 'paragraph' || startsMarked(node.children)) return false;
  return node.children.some((child, index) => {
    const isAfterBreak = node.children[index - 1]?.type === 'break';
    return (
      child.type === 'text' && (MARKED_LINE.test(child.value) || (isAfterBreak && MARK.test(child.value)))
    );
  });
}

/** Makes lists of the paragraphs right under `parent` that explain terms. */
function readLists(parent: Parents): void {
  if (!parent.children.some(isDefinitionList)) return;
  const children: RootContent[] = [];
  let list: Blockquote | undefined;
  for (const child of parent.children) {
    if (!isDefinitionList(child)) {
      list = undefined;
      children.push(child);
      continue;
    }
    if (!list) children.push((list = listFrom(child)));
    list.children.push(...itemsOf(child));
    if (list.position && child.position) list.position.end = child.position.end;
  }
  Object.assign(parent, { children });
}

const listFrom = ({ position }: Paragraph): Blockquote => ({
  type: 'blockquote',
  data: { hName: 'dl' },
  children: [],
  // The position tells whether it stands before the fold.
  ...(position && { position: { ...position } }),
});

/** The terms of a paragraph and what explains them; further lines belong to the explanation they follow. */
function itemsOf(paragraph: Paragraph): Paragraph[] {
  const items: Paragraph[] = [];
  let isTerm = true;
  for (const line of linesOf(paragraph)) {
    if (startsMarked(line)) {
      isTerm = false;
      items.push(item('dd', withoutMark(line)));
    } else if (isTerm) items.push(item('dt', line));
    else items.at(-1)?.children.push({ type: 'text', value: '\n' }, ...line);
  }
  return items;
}

const item = (hName: 'dt' | 'dd', children: PhrasingContent[]): Paragraph => ({
  type: 'paragraph',
  data: { hName },
  children,
});

function linesOf({ children }: Paragraph): PhrasingContent[][] {
  let line: PhrasingContent[] = [];
  const lines = [line];
  const endLine = () => lines.push((line = []));
  for (const child of children) {
    if (child.type === 'break') endLine();
    else if (child.type !== 'text') line.push(child);
    else
      for (const [index, value] of child.value.split('\n').entries()) {
        if (index > 0) endLine();
        if (value !== '') line.push({ type: 'text', value });
      }
  }
  return lines;
}

function startsMarked([first]: readonly PhrasingContent[]): boolean {
  return first?.type === 'text' && MARK.test(first.value);
}

function withoutMark([first, ...rest]: PhrasingContent[]): PhrasingContent[] {
  return first?.type === 'text' ? [{ type: 'text', value: first.value.replace(MARK, '') }, ...rest] : rest;
}
