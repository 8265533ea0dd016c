import type { Element, Root, RootContent } from 'hast';
import rehypeSlug from 'rehype-slug';
import { isElement } from '../elements.ts';
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
    walkIds(tree, (element, id) => {
      if (taken.has(id)) delete element.properties.id;
      else named.add(element);
      taken.add(id);
    });
    slug(tree);
    walkIds(tree, (element, id) => {
      if (named.has(element)) return;
      let free = id;
      while (taken.has(free) || NUMBERED.test(free)) free += '-';
      taken.add(free);
      if (free === '') delete element.properties.id;
      else element.properties.id = free;
    });
  };
}

function walkIds(tree: Root, visit: (element: Element, id: string) => void): void {
  walk<RootContent>(tree, (node) => {
    if (!isElement(node)) return;
    const { id } = node.properties;
    if (typeof id === 'string') visit(node, id);
  });
}
