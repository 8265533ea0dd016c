import type { syntaxTree } from '@codemirror/language';
import type { Text } from '@codemirror/state';

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNode = Tree['topNode'];

/** A heading of the text being written, `from` the place where it begins. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly from: number;
}

/** A heading with those below it. */
export interface OutlineItem extends Heading {
  /** Its place in the list of all. */
  readonly index: number;
  readonly items: readonly OutlineItem[];
}

const HEADING = /^(?:ATX|Setext)Heading([1-6])$/;
const UNSEEN = /Mark$|^(?:Image|HTMLTag|Comment)$/;
const CONTAINERS = new Set(['Document', 'Blockquote', 'BulletList', 'OrderedList', 'ListItem']);

/** The headings of a text, as its syntax tree has them: a `#` in a block of code is none. */
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

/** What readers see of a heading: without its marks, addresses, pictures and footnotes. */
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
    // A link's words end with its second mark; its address comes after.
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

/** The index of the heading under which `at` stands; -1 before the first. */
export const headingAt = (headings: readonly Heading[], at: number): number =>
  headings.findLastIndex(({ from }) => from <= at);

/** The headings as a tree, each under the last before it of a higher rank. */
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
