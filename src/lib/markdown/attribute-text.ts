import type { Root, RootContent } from 'hast';
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
    const address = typeof href === 'string' ? decodeAddress(href) : '';
    const label = textOf(node);
    const isShown = label !== '' && address.endsWith(label);
    for (const text of [alt, title, isShown ? '' : address])
      if (typeof text === 'string' && text !== '') texts.push(text);
  });
  return texts.join('\n\n');
}
