import type { Element, ElementContent } from 'hast';
import { classesOf, element, isElement, onlyChild, textOf } from '../elements.ts';
import { walk } from '../walk.ts';

const PICTURE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp)$/i;
/** Classes of WordPress and Ghost for a figure that embeds a page of another site. */
const EMBEDS = ['wp-block-embed', 'kg-embed-card'];
const SIZE = /-\d{1,5}x\d{1,5}(?=\.\w+$)/;

const bare = (address: unknown): string =>
  typeof address === 'string' ? address.replace(/[?#].*$/s, '').toLowerCase() : '';

/**
 * Unwraps a picture whose link only opens the picture itself or its attachment page, because pages here
 * enlarge pictures anyway. The link's address is used if it is the full size of the picture.
 */
export function unlinkPicture(link: Element): ElementContent[] {
  const image = onlyChild(link);
  if (!isElement(image, 'img')) return [link];
  const [href, src] = [bare(link.properties.href), bare(image.properties.src)];
  const rel = [link.properties.rel ?? []].flat().join(' ');
  const isWhole = href !== '' && href === src.replace(SIZE, '');
  if (isWhole) return [{ ...image, properties: { ...image.properties, src: String(link.properties.href) } }];
  return PICTURE.test(href) || /\battachment\b/.test(rel) ? [image] : [link];
}

/**
 * Converts a figure to blocks: a single picture with its caption as title; the pictures of a gallery one
 * after another; a card with its caption as title; else its content followed by the caption.
 * @param embed converts the address that a figure embeds
 */
export function readFigure(
  figure: Element,
  embed: (address: string, title: string) => ElementContent[],
): ElementContent[] {
  const caption = figure.children.find((child) => isElement(child, 'figcaption'));
  const rest = figure.children.filter((child) => child !== caption);
  const words = caption ? textOf(caption).replace(/\s+/g, ' ').trim() : '';
  const embedded = EMBEDS.some((name) => classesOf(figure).includes(name))
    ? textOf({ ...figure, children: rest }).trim()
    : '';
  if (/^https?:\/\/\S+$/i.test(embedded)) return embed(embedded, words);
  const pictures = picturesIn(rest);
  const frame = rest.find((child) => isElement(child, 'moye-frame'));
  const isPictures = pictures.length > 0 && textOf({ ...figure, children: rest }).trim() === '' && !frame;
  if (isPictures && pictures.length === 1) return [captioned(pictures[0] as Element, words)];
  if (isElement(frame) && words !== '') frame.properties.title = words;
  const below = caption && words !== '' && !frame ? [captionOf(caption)] : [];
  if (isPictures) return [...pictures.map((picture) => captioned(picture, '')), ...below];
  return [...rest, ...below];
}

const captionOf = (caption: Element): Element => element('p', {}, [element('em', {}, caption.children)]);

function captioned(picture: Element, caption: string): Element {
  const image = isElement(picture, 'a') ? picture.children.find((child) => isElement(child, 'img')) : picture;
  if (isElement(image) && caption !== '') image.properties['dataCaptioned'] = caption;
  return element('p', {}, [picture]);
}

function picturesIn(nodes: ElementContent[]): Element[] {
  const found: Element[] = [];
  walk<ElementContent>({ children: nodes }, (node) => {
    if (isElement(node, 'img')) found.push(node);
    if (!isElement(node, 'a') || !node.children.some((child) => isElement(child, 'img'))) return undefined;
    found.push(node);
    return 'skip';
  });
  return found;
}
