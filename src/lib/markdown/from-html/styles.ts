import type { Element } from 'hast';

/** Returns the value of a property in an element's inline style, in lower case; '' if it is not set. */
export function styleOf({ properties }: Element, name: string): string {
  const { style } = properties;
  if (typeof style !== 'string') return '';
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (declaration.slice(0, colon).trim().toLowerCase() === name)
      return declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase();
  }
  return '';
}

export function isHidden(node: Element): boolean {
  const { hidden, ariaHidden } = node.properties;
  return (
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    ariaHidden === 'true' ||
    styleOf(node, 'display') === 'none' ||
    styleOf(node, 'visibility') === 'hidden' ||
    styleOf(node, 'mso-hide') === 'all' ||
    /^0(px|pt|em|rem|%)?$/.test(styleOf(node, 'font-size')) ||
    /^0(\.0+)?$/.test(styleOf(node, 'opacity'))
  );
}

/** Returns the marks that an element's style implies; many programs use styles in place of tags. */
export function marksOf(node: Element): ('strong' | 'em' | 'del')[] {
  const decoration = `${styleOf(node, 'text-decoration')} ${styleOf(node, 'text-decoration-line')}`;
  return [
    ...(isBold(node) ? (['strong'] as const) : []),
    ...(/italic|oblique/.test(styleOf(node, 'font-style')) ? (['em'] as const) : []),
    ...(decoration.includes('line-through') ? (['del'] as const) : []),
  ];
}

const isBold = (node: Element) => /^(bold|bolder|[6-9]00)$/.test(styleOf(node, 'font-weight'));

/** Whether a style cancels the bold of its tag: Google Docs wraps all it copies in such a `b`. */
export const isUnmarked = (node: Element): boolean =>
  /^(normal|lighter|[1-5]00)$/.test(styleOf(node, 'font-weight'));
