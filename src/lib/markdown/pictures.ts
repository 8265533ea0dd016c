import type { Element, ElementContent, Text } from 'hast';
import { element, isElement } from './elements.ts';

/** Pictures of this site: the name of the file tells its size in pixels. Older ones do not. */
const OWN_PICTURE = /^\/api\/file\/[0-9a-f]{32}-([1-9]\d{0,4})x([1-9]\d{0,4})\.(?:png|jpg|webp)$/;
/** An author's width is a fragment: renderers that do not know it show the picture all the same. */
const WIDTH = /^(.*?)(?:#w=(small|full))?$/s;
/** Characters, about four lines on a phone: what comes after so little is on the first screen. */
const MOST_TEXT_ABOVE = 120;

/** Decorates images: the first, near the top, loads at once, others when near; none tells the article. */
export function createPictures() {
  let textAbove = 0;
  let isFirst = true;
  return {
    /** To be told of every text, in reading order. */
    passText(text: string): void {
      textAbove += text.trim().length;
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
      return image;
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
  const [width, height] = (OWN_PICTURE.exec(src) ?? []).slice(1).map(Number);
  if (width === undefined || height === undefined) return;
  const [givenWidth, givenHeight] = [properties.width, properties.height];
  if (givenWidth === undefined && givenHeight === undefined) Object.assign(properties, { width, height });
  else if (givenWidth === undefined) properties.width = Math.round((Number(givenHeight) * width) / height);
  // Of a share of the line (`50%`) nobody knows the height.
  else if (givenHeight === undefined && !String(givenWidth).endsWith('%'))
    properties.height = Math.round((Number(givenWidth) * height) / width);
}
