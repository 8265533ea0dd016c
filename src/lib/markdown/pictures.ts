import type { Element, Text } from 'hast';

/** Pictures of this site: the name of the file tells its size in pixels. Older ones do not. */
const OWN_PICTURE = /^\/api\/file\/[0-9a-f]{32}-([1-9]\d{0,4})x([1-9]\d{0,4})\.(?:png|jpg|webp)$/;
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
      const { src, alt } = image.properties;
      if (!src) return { type: 'text', value: typeof alt === 'string' ? alt : '' };
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
