import type { Element, Root, RootContent } from 'hast';
import rehypeSlug from 'rehype-slug';
import { HEADINGS, isElement } from '../elements.ts';
import { walk } from '../walk.ts';

/** Ids of the anchors that headings.ts adds. */
const NUMBERED = /^h[1-6]-\d+$/;

/**
 * Rehype plugin: gives headings their slugs (rehype-slug) and makes ids unique. Ids of the author and of
 * footnotes take precedence; a slug that is taken or looks like a numbered anchor gets hyphens appended. A
 * heading of punctuation only gets no id.
 */
export function rehypeHeadingIds() {
  const slug = rehypeSlug();
  return (tree: Root): void => {
    const taken = new Set<string>();
    const named = new Set<Element>();
    const headings: Element[] = [];
    walk<RootContent>(tree, (node) => {
      if (!isElement(node)) return;
      if (isElement(node, ...HEADINGS)) headings.push(node);
      const { id } = node.properties;
      if (typeof id !== 'string') return;
      if (taken.has(id)) delete node.properties.id;
      else named.add(node);
      taken.add(id);
    });
    // Not the whole tree, which rehype-slug would visit with unist-util-visit (walk.ts).
    slug({ type: 'root', children: headings });
    for (const heading of headings) {
      const { id } = heading.properties;
      if (typeof id !== 'string' || named.has(heading)) continue;
      let free = id;
      while (taken.has(free) || NUMBERED.test(free)) free += '-';
      taken.add(free);
      if (free === '') delete heading.properties.id;
      else heading.properties.id = free;
    }
  };
}
