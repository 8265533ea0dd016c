import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { walk } from '../walk.ts';
import { classesOf } from './styles.ts';

const PICTURE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp)$/i;
/** What WordPress and Ghost call a figure that embeds another site's page. */
const EMBEDS = ['wp-block-embed', 'kg-embed-card'];
const SIZE = /-\d{1,5}x\d{1,5}(?=\.\w+$)/;

/** An address without the query, in small letters. */
const bare = (address: unknown): string =>
  typeof address === 'string' ? address.replace(/[?#].*$/s, '').toLowerCase() : '';

/**
 * A link around one picture that leads to the picture itself, or to the page that shows nothing else, is
 * none: pages here enlarge pictures anyway. What it leads to is the whole picture, where that shows.
 */
export function unlinkPicture(link: Element): ElementContent[] {
  const [image, ...others] = link.children.filter(
    (child) => child.type !== 'text' || child.value.trim() !== '',
  );
  if (!isElement(image, 'img') || others.length > 0) return [link];
  const [href, src] = [bare(link.properties.href), bare(image.properties.src)];
  const rel = [link.properties.rel ?? []].flat().join(' ');
  const isWhole = href !== '' && href === src.replace(SIZE, '');
  if (isWhole) return [{ ...image, properties: { ...image.properties, src: String(link.properties.href) } }];
  return PICTURE.test(href) || /\battachment\b/.test(rel) ? [image] : [link];
}

/**
 * A figure as blocks: one picture with its caption as title, pictures of a gallery one below the other, a
 * card that is called after its caption; else what it holds, and the caption below.
 * @param embed what an address that a figure embeds becomes
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

/** A picture in a paragraph of its own; pages show its title below it. */
export function captioned(picture: Element, caption: string): Element {
  const image = isElement(picture, 'a') ? picture.children.find((child) => isElement(child, 'img')) : picture;
  if (isElement(image) && caption !== '') image.properties['dataCaptioned'] = caption;
  return element('p', {}, [picture]);
}

/** Pictures in reading order, with the link around each that has one. */
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
