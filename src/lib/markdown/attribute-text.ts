import type { Root, RootContent } from 'hast';
import { isElement, textOf } from './elements.ts';
import { walk } from './walk.ts';

/**
 * Text of a sanitised tree that is not its visible text, a paragraph each: descriptions of pictures, titles,
 * and addresses of links whose label is another text.
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

/** An address as a reader would type it; as it is where it cannot be decoded. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
