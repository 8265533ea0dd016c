import type { Element, ElementContent, Text } from 'hast';
import { sizeIn } from '../contract/pictures.ts';
import { COLUMN_SIZES, sizedName, variantSet } from '../contract/picture-variants.ts';
import { element, isElement } from './elements.ts';
import { walk } from './walk.ts';

/** An author's width is a fragment: renderers that do not know it show the picture all the same. */
const WIDTH = /^(.*?)(?:#w=(small|full))?$/s;
/** Characters, about four lines on a phone: what comes after so little is on the first screen. */
const MOST_TEXT_ABOVE = 120;

/**
 * Decorates images: the first, near the top, loads at once, others when near; none tells the article. Those
 * of this site come in several widths and lead to the whole picture, unless a link is around them.
 */
export function createPictures() {
  const linked = new WeakSet<Element>();
  let textAbove = 0;
  let isFirst = true;
  return {
    /** To be told of every text, in reading order. */
    passText(text: string): void {
      textAbove += text.trim().length;
    },
    /** To be told of every link, before what is in it. */
    passLink(link: Element): void {
      walk<ElementContent>(link, (node) => {
        if (isElement(node, 'img')) linked.add(node);
      });
    },
    /** The image as pages show it; without an address its alt text. */
    decorate(image: Element): Element | Text {
      const { alt } = image.properties;
      const [, src = '', width] = WIDTH.exec(image.properties.src ?? '') ?? [];
      if (src === '') return { type: 'text', value: typeof alt === 'string' ? alt : '' };
      Object.assign(image.properties, { src, ...(width ? { className: [`picture-${width}`] } : {}) });
      keepRoom(image, src);
      const isOnTop = isFirst && textAbove <= MOST_TEXT_ABOVE;
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

/** Makes a paragraph that is one picture with a title a figure with a caption, in place. */
export function captionPicture(paragraph: Element): void {
  const [image, ...others] = paragraph.children.filter((child) => !isBlank(child));
  if (!image || others.length > 0 || !isElement(image, 'img')) return;
  const { title } = image.properties;
  if (typeof title !== 'string' || title.trim() === '') return;
  delete image.properties.title;
  const caption = element('figcaption', {}, [{ type: 'text', value: title }]);
  Object.assign(paragraph, { tagName: 'figure', properties: {}, children: [image, caption] });
}

const isBlank = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';

/** Width and height, if known, keep the text from jumping. What the author gave stays. */
function keepRoom({ properties }: Element, src: string): void {
  const { width, height } = sizeIn(sizedName(src)) ?? {};
  if (width === undefined || height === undefined) return;
  const [givenWidth, givenHeight] = [properties.width, properties.height];
  if (givenWidth === undefined && givenHeight === undefined) Object.assign(properties, { width, height });
  else if (givenWidth === undefined) properties.width = Math.round((Number(givenHeight) * width) / height);
  // Of a share of the line (`50%`) nobody knows the height.
  else if (givenHeight === undefined && !String(givenWidth).endsWith('%'))
    properties.height = Math.round((Number(givenWidth) * height) / width);
}

/** A picture with smaller copies beside it, where the server makes some; else the image. */
function inWidths(image: Element, src: string): Element {
  const avif = variantSet(src, 'avif');
  if (avif === '') return image;
  Object.assign(image.properties, { srcSet: variantSet(src, 'webp'), sizes: COLUMN_SIZES });
  const source = element('source', { type: 'image/avif', srcSet: avif, sizes: COLUMN_SIZES });
  return element('picture', {}, [source, image]);
}

/** A picture that is shown smaller than it is leads to the whole of it. */
function inLink(picture: Element, src: string): Element {
  if (picture.tagName !== 'picture') return picture;
  const { alt = '' } = picture.children.find((child) => isElement(child, 'img'))?.properties ?? {};
  const ariaLabel = alt === '' ? '看大图' : `看大图：${alt}`;
  return element('a', { className: ['zoom'], href: src, ariaLabel }, [picture]);
}
