import type { Element, ElementContent, Root, RootContent } from 'hast';
import { decodeAddress } from '../decode-address.ts';
import { element, isElement, textOf } from '../elements.ts';
import { walk } from '../walk.ts';

/**
 * Converts what pages show as footnotes: a superscript link to an element of the same page that links back.
 * Moves the footnotes to the end of the tree, numbered in the order of their first references. Modifies the
 * tree.
 */
export function readNotes(tree: Root): void {
  const byId = new Map<string, Element>();
  const marks: { link: Element; id: string }[] = [];
  const raised = new Set<Element>();
  walk<RootContent>(tree, (node) => {
    if (!isElement(node)) return;
    const { id, href } = node.properties;
    if (typeof id === 'string' && isElement(node, 'li', 'p', 'div', 'aside', 'dd')) byId.set(id, node);
    if (isElement(node, 'sup'))
      for (const child of node.children) if (isElement(child, 'a')) raised.add(child);
    const holdsMark = isElement(node, 'a') && node.children.some((child) => isElement(child, 'sup'));
    if (typeof href === 'string' && /^#./.test(href) && (raised.has(node) || holdsMark))
      marks.push({ link: node, id: decodeAddress(href.slice(1)) });
  });
  const notes = new Map<Element, string>();
  const links = new Map<Element, string>();
  for (const { link, id } of marks) {
    const note = byId.get(id);
    if (!note || !isNote(note)) continue;
    const no = notes.get(note) ?? String(notes.size + 1);
    notes.set(note, no);
    links.set(link, no);
  }
  if (links.size === 0) return;
  const texts = [...notes].map(([{ children }, no]) =>
    element('moye-note-text', { no }, withoutBacklinks(children)),
  );
  const taken = new Set<RootContent>(notes.keys());
  tree.children = [...replaced(tree.children, links, taken), ...texts];
}

const isBacklink = (node: ElementContent): boolean =>
  isElement(node, 'a') && /^#./.test(node.properties.href ?? '');

function isNote(element: Element): boolean {
  let found = false;
  walk<ElementContent>(element, (node) => {
    found ||= isBacklink(node);
  });
  return found;
}

function replaced(
  nodes: readonly RootContent[],
  links: ReadonlyMap<Element, string>,
  taken: ReadonlySet<RootContent>,
): RootContent[] {
  return nodes.flatMap((node): RootContent[] => {
    if (taken.has(node)) return [];
    if (!isElement(node)) return [node];
    // The rule that markdown-it draws above footnotes.
    if (isElement(node, 'hr') && node.properties.className?.toString() === 'footnotes-sep') return [];
    const no = links.get(node);
    if (no !== undefined) return [element('moye-note', { no })];
    const children = replaced(node.children, links, taken) as ElementContent[];
    const [mark, ...others] = children;
    if (isElement(node, 'sup') && isElement(mark, 'moye-note') && others.length === 0) return [mark];
    const isEmptied = isBlank(children) && !isBlank(node.children);
    return isEmptied && isElement(node, 'ol', 'ul', 'section', 'div', 'footer')
      ? []
      : [{ ...node, children }];
  });
}

/** Whether nodes have no content, apart from rules and headings above footnotes. */
const isBlank = (nodes: readonly ElementContent[]): boolean =>
  nodes.every(
    (node) =>
      node.type === 'comment' || isElement(node, 'hr', 'h2', 'h3', 'br') || textOf(node).trim() === '',
  ) && !nodes.some((node) => isElement(node, 'img', 'iframe', 'video', 'audio'));

function withoutBacklinks(nodes: readonly ElementContent[]): ElementContent[] {
  const kept = nodes.flatMap((node): ElementContent[] => {
    if (isBacklink(node)) return [];
    return isElement(node) ? [{ ...node, children: withoutBacklinks(node.children) }] : [node];
  });
  const last = kept.at(-1);
  if (last?.type === 'text') last.value = last.value.trimEnd();
  return kept;
}
