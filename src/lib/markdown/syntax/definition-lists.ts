import type { Blockquote, Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

/** Marker of a definition line. A full-width colon is not one. */
const MARK = /^:[ \t]+/;
const MARKED_LINE = /\n:[ \t]/;

/**
 * Remark plugin: lines that begin with `: ` define the term on the line above, as in PHP Markdown Extra;
 * consecutive such paragraphs form one list. Must run before `remarkBreaks`. The existing micromark extension
 * also supports definitions of several blocks, but takes time quadratic in the length of the text.
 */
export function remarkDefinitionLists() {
  return (tree: Root): void => {
    readLists(tree);
    walk<RootContent>(tree, (node) => {
      if ('children' in node) readLists(node);
    });
  };
}

export function isDefinitionList(node: Nodes | undefined): node is Paragraph {
  if (node?.type !== 'paragraph' || startsMarked(node.children)) return false;
  return node.children.some((child, index) => {
    const isAfterBreak = node.children[index - 1]?.type === 'break';
    return (
      child.type === 'text' && (MARKED_LINE.test(child.value) || (isAfterBreak && MARK.test(child.value)))
    );
  });
}

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
  // Excerpts compare the position with the fold.
  ...(position && { position: { ...position } }),
});

/** Returns the terms and definitions of a paragraph; further lines belong to the preceding definition. */
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
