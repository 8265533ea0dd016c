import type { syntaxTree } from '@codemirror/language';
import type { Text } from '@codemirror/state';

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNode = Tree['topNode'];

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly from: number;
}

export interface OutlineItem extends Heading {
  readonly index: number;
  readonly items: readonly OutlineItem[];
}

const HEADING = /^(?:ATX|Setext)Heading([1-6])$/;
const UNSEEN = /Mark$|^(?:Image|HTMLTag|Comment)$/;
const CONTAINERS = new Set(['Document', 'Blockquote', 'BulletList', 'OrderedList', 'ListItem']);

/** Returns the headings in the syntax tree of a text, so a `#` in a code block does not count. */
export function headingsOf(tree: Tree, doc: Text): Heading[] {
  const headings: Heading[] = [];
  tree.iterate({
    enter(node) {
      const level = HEADING.exec(node.name)?.[1];
      if (level === undefined) return CONTAINERS.has(node.name);
      headings.push({ level: Number(level), text: textOf(node.node, doc), from: node.from });
      return false;
    },
  });
  return headings;
}

/** Returns the visible text of a heading, without marks, URLs, pictures and footnotes. */
function textOf(heading: SyntaxNode, doc: Text): string {
  let text = '';
  let end = heading.from;
  const skip = (from: number, to: number) => {
    text += doc.sliceString(end, from);
    end = to;
  };
  const walk = (node: SyntaxNode): void => {
    const isFootnote = node.name === 'Link' && doc.sliceString(node.from, node.from + 2) === '[^';
    if (isFootnote || UNSEEN.test(node.name)) return skip(node.from, node.to);
    if (node.name === 'Escape') return skip(node.from, node.from + 1);
    // The text of a link ends at its second mark, which precedes the URL.
    const [, wordsEnd] = node.name === 'Link' ? node.getChildren('LinkMark') : [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (wordsEnd && child.from >= wordsEnd.from) return skip(wordsEnd.from, node.to);
      walk(child);
    }
  };
  walk(heading);
  skip(heading.to, heading.to);
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the index of the heading of the section around `at`; -1 before the first heading. */
export const headingAt = (headings: readonly Heading[], at: number): number =>
  headings.findLastIndex(({ from }) => from <= at);

/** Nests headings below the last preceding heading of a higher rank. */
export function nest(headings: readonly Heading[]): OutlineItem[] {
  type Growing = OutlineItem & { items: Growing[] };
  const top: Growing[] = [];
  const open: Growing[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const item = { ...heading, index, items: [] };
    (open.at(-1)?.items ?? top).push(item);
    open.push(item);
  }
  return top;
}
