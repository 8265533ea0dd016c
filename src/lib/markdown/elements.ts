import type { Element, ElementContent, Nodes, RootContent } from 'hast';

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

/** Whether GFM footnotes added `node`: a reference mark or a back link. */
export function isFootnoteMark(node: Nodes): boolean {
  if (!isElement(node)) return false;
  const { dataFootnoteRef, dataFootnoteBackref } = node.properties;
  return dataFootnoteRef !== undefined || dataFootnoteBackref !== undefined;
}

export function isFootnotes(node: Nodes): boolean {
  return isElement(node, 'section') && node.properties['dataFootnotes'] !== undefined;
}

/** Returns the `code` of a `pre` that contains nothing else, or undefined. */
export function codeOf(pre: Element): Element | undefined {
  const [code, ...rest] = pre.children.filter(
    (child: RootContent) => child.type !== 'text' || child.value.trim() !== '',
  );
  return rest.length === 0 && isElement(code, 'code') ? code : undefined;
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
