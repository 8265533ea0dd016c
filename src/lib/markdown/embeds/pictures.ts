import type { Element, ElementContent, Text } from 'hast';
import { sizeIn } from '../../contract/rules/pictures.ts';
import { COLUMN_SIZES, sizedName, variantSet } from '../../contract/rules/picture-variants.ts';
import { element, isElement, onlyChild } from '../elements.ts';
import { walk } from '../walk.ts';

/** The author's width is a URL fragment: other renderers ignore it and still show the picture. */
const WIDTH = /^(.*?)(?:#w=(small|full))?$/s;
/** Characters, about four lines on a phone: a picture after at most this much text is on the first screen. */
const MAX_CHARACTERS_ABOVE = 120;

/**
 * Creates a decorator for the images of one article. The first image, if near the top, loads eagerly, others
 * lazily; all are requested without a referrer. Images of this site have several widths and link to the full
 * size, unless they are already in a link.
 */
export function createPictures() {
  const linked = new WeakSet<Element>();
  let textAbove = 0;
  let isFirst = true;
  return {
    /** Must be called for every text, in reading order. */
    passText(text: string): void {
      textAbove += text.trim().length;
    },
    /** Must be called for every link before its content. */
    passLink(link: Element): void {
      walk<ElementContent>(link, (node) => {
        if (isElement(node, 'img')) linked.add(node);
      });
    },
    decorate(image: Element): Element | Text {
      const { alt } = image.properties;
      const [, src = '', width] = WIDTH.exec(image.properties.src ?? '') ?? [];
      if (src === '') return { type: 'text', value: typeof alt === 'string' ? alt : '' };
      Object.assign(image.properties, { src, ...(width ? { className: [`picture-${width}`] } : {}) });
      keepRoom(image, src);
      const isOnTop = isFirst && textAbove <= MAX_CHARACTERS_ABOVE;
      isFirst = false;
      Object.assign(image.properties, {
        alt: alt ?? '',
        ...(isOnTop ? { fetchPriority: 'high' } : { loading: 'lazy' }),
        decoding: 'async',
        referrerPolicy: 'no-referrer',
      });
      return linked.has(image) ? inWidths(image, src) : inLink(inWidths(image, src), src);
    },
  };
}

/** Turns a paragraph with a caption (`captionOf`) into a figure, in place. */
export function captionPicture(paragraph: Element): void {
  const title = captionOf(paragraph);
  const image = onlyChild(paragraph);
  if (title === '' || !isElement(image, 'img')) return;
  delete image.properties.title;
  const caption = element('figcaption', {}, [{ type: 'text', value: title }]);
  Object.assign(paragraph, { tagName: 'figure', properties: {}, children: [image, caption] });
}

/** Returns the title of the picture if `paragraph` contains nothing else; '' otherwise. */
export function captionOf(paragraph: Element): string {
  const image = onlyChild(paragraph);
  const title = isElement(image, 'img') ? image.properties.title : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title : '';
}

/** Sets width and height, if known, to avoid layout shift. Values from the author are kept. */
function keepRoom({ properties }: Element, src: string): void {
  const { width, height } = sizeIn(sizedName(src)) ?? {};
  if (width === undefined || height === undefined) return;
  const [givenWidth, givenHeight] = [properties.width, properties.height];
  if (givenWidth === undefined && givenHeight === undefined) Object.assign(properties, { width, height });
  else if (givenWidth === undefined) properties.width = Math.round((Number(givenHeight) * width) / height);
  // The height is unknown if the width is a percentage of the line.
  else if (givenHeight === undefined && !String(givenWidth).endsWith('%'))
    properties.height = Math.round((Number(givenWidth) * height) / width);
}

function inWidths(image: Element, src: string): Element {
  const avif = variantSet(src, 'avif');
  if (avif === '') return image;
  Object.assign(image.properties, { srcSet: variantSet(src, 'webp'), sizes: COLUMN_SIZES });
  const source = element('source', { type: 'image/avif', srcSet: avif, sizes: COLUMN_SIZES });
  return element('picture', {}, [source, image]);
}

function inLink(picture: Element, src: string): Element {
  if (picture.tagName !== 'picture') return picture;
  const { alt = '' } = picture.children.find((child) => isElement(child, 'img'))?.properties ?? {};
  const ariaLabel = alt === '' ? '看大图' : `看大图：${alt}`;
  return element('a', { className: ['zoom'], href: src, ariaLabel }, [picture]);
}
