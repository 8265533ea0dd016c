import type { Nodes, Parent, PhrasingContent, Root } from 'mdast';

const MARKS = ['strong', 'emphasis', 'delete'];
type Marked = Extract<PhrasingContent, { type: 'strong' | 'emphasis' | 'delete' }>;

const isMarked = (node: Nodes | undefined): node is Marked => node !== undefined && MARKS.includes(node.type);
const hasChildren = (node: Nodes): node is Nodes & Parent => 'children' in node;
const isSpace = (node: Nodes | undefined): boolean =>
  node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '');

/**
 * Remark plugin: cleans up marks. Programs start a new mark at every change of colour, and include the spaces
 * next to a word. Adjacent marks are merged, white space is moved outside, and empty marks are removed.
 */
export function remarkTidyMarks() {
  return (tree: Root): void => tidy(tree, []);
}

function tidy(parent: Nodes & Parent, around: readonly string[]): void {
  const inside = isMarked(parent) ? [...around, parent.type] : around;
  let children = parent.children as PhrasingContent[];
  // A mark inside a mark of the same kind has no effect.
  children = children.flatMap((node) =>
    isMarked(node) && inside.includes(node.type) ? node.children : [node],
  );
  for (const node of children) if (hasChildren(node)) tidy(node, inside);
  children = children.flatMap((node) => (isMarked(node) ? withSpaceOutside(node) : [node]));
  parent.children = joined(children);
}

function withSpaceOutside(node: Marked): PhrasingContent[] {
  const before: PhrasingContent[] = [];
  const after: PhrasingContent[] = [];
  const { children } = node;
  while (isSpace(children[0])) before.push(children.shift() as PhrasingContent);
  while (isSpace(children.at(-1))) after.unshift(children.pop() as PhrasingContent);
  const [first, last] = [children[0], children.at(-1)];
  if (first?.type === 'text' && /^\s/.test(first.value)) {
    before.push({ type: 'text', value: ' ' });
    first.value = first.value.trimStart();
  }
  if (last?.type === 'text' && /\s$/.test(last.value)) {
    after.unshift({ type: 'text', value: ' ' });
    last.value = last.value.trimEnd();
  }
  return children.length > 0 ? [...before, node, ...after] : [...before, ...after];
}

function joined(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === 'text' && last?.type === 'text') last.value += node.value;
    else if (isMarked(node) && last?.type === node.type)
      last.children = joined([...last.children, ...node.children]);
    else result.push(node);
  }
  return result;
}
