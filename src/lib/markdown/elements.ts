import type { Element, ElementContent, Nodes } from 'hast';

export function isElement(node: Nodes | undefined, ...tagNames: string[]): node is Element {
  return node?.type === 'element' && (tagNames.length === 0 || tagNames.includes(node.tagName));
}

export function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children };
}

export function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** Whether GFM footnotes added `node`: a reference mark or a back link. */
export function isFootnoteMark(node: Nodes): boolean {
  if (!isElement(node)) return false;
  const { dataFootnoteRef, dataFootnoteBackref } = node.properties;
  return dataFootnoteRef !== undefined || dataFootnoteBackref !== undefined;
}

export function isFootnotes(node: Nodes): boolean {
  return isElement(node, 'section') && node.properties['dataFootnotes'] !== undefined;
}

export const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Returns the only child apart from white space, or undefined. */
export function onlyChild({ children }: Element): ElementContent | undefined {
  const [child, ...others] = children.filter((each) => each.type !== 'text' || each.value.trim() !== '');
  return others.length === 0 ? child : undefined;
}

/** Returns the `code` of a `pre` that contains nothing else, or undefined. */
export function codeOf(pre: Element): Element | undefined {
  const code = onlyChild(pre);
  return isElement(code, 'code') ? code : undefined;
}

/**
 * Splits a paragraph at block elements, which it cannot contain: the nodes between them become copies of it,
 * as far as `inline` keeps them.
 */
export function splitParagraph(
  paragraph: Element,
  isBlock: (node: ElementContent) => boolean,
  inline: (nodes: ElementContent[]) => ElementContent[],
): ElementContent[] {
  const blocks: ElementContent[] = [];
  let open: ElementContent[] = [];
  for (const child of [...paragraph.children, undefined]) {
    if (child && !isBlock(child)) {
      open.push(child);
      continue;
    }
    const children = inline(open);
    if (children.length > 0) blocks.push({ ...paragraph, children });
    if (child) blocks.push(child);
    open = [];
  }
  return blocks;
}

export function texOf(math: Element): string | undefined {
  const [semantics] = math.children;
  const source = isElement(semantics, 'semantics') ? semantics.children.at(-1) : undefined;
  return isElement(source, 'annotation') ? source.children.map(textOf).join('') : undefined;
}

/** Returns all text under `node` with white space unchanged; the text of a formula is its TeX. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  const tex = isElement(node, 'math') ? texOf(node) : undefined;
  if (tex !== undefined) return tex;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
