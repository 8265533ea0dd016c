import type { Element, Root, RootContent } from 'hast';
import { decodeAddress } from './decode-address.ts';
import { isElement, textOf } from './elements.ts';
import { walk } from './walk.ts';

/**
 * Returns the text of a sanitised tree that readers do not see, one paragraph each: alternative texts and
 * titles of pictures, and link addresses that differ from the link's label.
 */
export function attributeText(tree: Root): string {
  const texts: string[] = [];
  walk<RootContent>(tree, (node) => {
    if (!isElement(node)) return;
    const { alt, title, href } = node.properties;
    for (const text of [alt, title, typeof href === 'string' ? hiddenAddress(node, href) : ''])
      if (typeof text === 'string' && text !== '') texts.push(text);
  });
  return texts.join('\n\n');
}

function hiddenAddress(link: Element, href: string): string {
  const address = decodeAddress(href);
  const label = textOf(link);
  return label !== '' && address.endsWith(label) ? '' : address;
}
