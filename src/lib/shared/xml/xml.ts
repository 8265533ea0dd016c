import type { Cdata, Element, Root, Text } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import { legalText } from './legal-text.ts';

type Attributes = Record<string, string | number | undefined>;
type Child = Element | string | null;

/** Creates an element. Removes characters that XML does not allow, and undefined attributes. */
export const element = (name: string, attributes: Attributes, ...children: Child[]): Element =>
  x(
    name,
    Object.fromEntries(
      Object.entries(attributes).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, legalText(String(value))]],
      ),
    ),
    ...children.map((child) => (typeof child === 'string' ? textNodes(legalText(child)) : child)),
  );

/**
 * A text must not contain `]]>` (XML 1.0 §2.4), and the serialiser does not escape `>`, so the `>` becomes a
 * CDATA section.
 */
const textNodes = (text: string): (Text | Cdata)[] =>
  text.split(/(?<=\]\])>/).flatMap((value, index): (Text | Cdata)[] => {
    const node = { type: 'text', value } as const;
    return index === 0 ? [node] : [{ type: 'cdata', value: '>' }, node];
  });

/**
 * Serialises an XML document.
 * @param style path of a style sheet for browsers
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
