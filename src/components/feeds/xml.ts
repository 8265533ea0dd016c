import type { Cdata, Element, Root, Text } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import { legalText } from '../legal-text.ts';

type Attributes = Record<string, string | number | undefined>;
type Node = Element | Text | Cdata;
type Child = Element | string | null;

/** An element; of its texts and attributes only what XML can hold is kept, and no empty attribute. */
export const element = (name: string, attributes: Attributes, ...children: Child[]): Element =>
  x(
    name,
    Object.fromEntries(
      Object.entries(attributes).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, legalText(String(value))]],
      ),
    ),
    children.flatMap((child): Node[] => {
      if (typeof child === 'string') return textNodes(legalText(child));
      return child ? [child] : [];
    }),
  );

/** `]]>` may not stand in a text (XML 1.0 §2.4); the writer escapes no `>`, so that one goes apart. */
const textNodes = (text: string): (Text | Cdata)[] =>
  text.split(/(?<=\]\])>/).flatMap((value, index): (Text | Cdata)[] => {
    const node = { type: 'text', value } as const;
    return index === 0 ? [node] : [{ type: 'cdata', value: '>' }, node];
  });

/**
 * An XML document.
 * @param style path of the style sheet browsers show it by
 */
export function toDocument(root: Root['children'][number], style?: string): string {
  const sheet = {
    type: 'instruction',
    name: 'xml-stylesheet',
    value: `type="text/css" href="${style}"`,
  } as const;
  const declaration = { type: 'instruction', name: 'xml', value: 'version="1.0" encoding="utf-8"' } as const;
  return toXml({ type: 'root', children: [declaration, ...(style === undefined ? [] : [sheet]), root] });
}
