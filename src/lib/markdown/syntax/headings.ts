import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import { element, isElement, isFootnoteMark, isFootnotes, textOf } from '../elements.ts';
import { takeUnits } from '../../shared/graphemes.ts';
import { walk } from '../walk.ts';

/**
 * Entry in the table of contents: the `no`th heading (from 1) of `level` 1 to 6. Both `#{slug}` and
 * `#h{level}-{no}` link to it. A truncated `text` ends with `…`.
 */
export type TocItem = { level: number; no: number; text: string; slug: string };

/** UTF-16 units of an entry's text; the longest of the corpus has 149. */
const MAX_TOC_CHARACTERS = 200;

/** Adds numbered anchors to headings in place, except the footnotes' title. Returns the table of contents. */
export function anchorHeadings(tree: Root): TocItem[] {
  const toc: TocItem[] = [];
  const counts = new Map<number, number>();
  walk<RootContent>(tree, (node) => {
    if (isFootnotes(node)) return 'skip';
    const level = isElement(node) ? levelOf(node) : 0;
    if (!isElement(node) || level === 0) return undefined;
    const no = (counts.get(level) ?? 0) + 1;
    counts.set(level, no);
    const anchor = `h${level}-${no}`;
    const slug = node.properties.id ?? anchor;
    toc.push({ level, no, text: headingText(node), slug });
    node.children.unshift(permalink(anchor, slug));
    return 'skip';
  });
  return toc;
}

function levelOf(node: Element): number {
  return /^h[1-6]$/.test(node.tagName) ? Number(node.tagName[1]) : 0;
}

/** Returns an empty link to the heading, hidden from assistive technology, which can navigate by headings. */
function permalink(anchor: string, slug: string): Element {
  return element('a', {
    className: ['anchor'],
    id: anchor,
    href: `#${encodeURIComponent(slug)}`,
    ariaHidden: 'true',
    tabIndex: -1,
  });
}

function headingText(heading: Element): string {
  const text = visibleText(heading).replace(/\s+/g, ' ').trim();
  return text.length > MAX_TOC_CHARACTERS ? `${takeUnits(text, MAX_TOC_CHARACTERS).trimEnd()}…` : text;
}

function visibleText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (isElement(node, 'math')) return textOf(node);
  if (isFootnoteMark(node) || !('children' in node)) return '';
  return (node.children as ElementContent[]).map(visibleText).join('');
}
