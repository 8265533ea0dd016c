/** Width of a picture: half a line, its natural width up to a line, or a full line. */
export type PictureWidth = 'small' | 'text' | 'full';

export interface PictureSource {
  alt: string;
  /** Without the fragment that holds the width. */
  url: string;
  caption: string;
  width: PictureWidth;
}

// Repetitions are bounded to prevent quadratic time on hostile text.
const PICTURE =
  /!\[((?:[^[\]\\]|\\.){0,500})\]\(([^\s()<>]{1,2048}?)(?:#w=(small|full))?(?:[ \t]{1,9}"((?:[^"\\]|\\.){0,500})")?\)/g;

/**
 * Returns the markdown picture in `line` that contains or touches `offset`, with its range in the line, or
 * null.
 */
export function parsePicture(
  line: string,
  offset: number,
): (PictureSource & { from: number; to: number }) | null {
  for (const match of line.matchAll(PICTURE)) {
    const [from, to] = [match.index, match.index + match[0].length];
    if (offset < from || offset > to) continue;
    const [, alt = '', url = '', width = 'text', caption = ''] = match;
    return { from, to, alt: plain(alt), url, caption: plain(caption), width: width as PictureWidth };
  }
  return null;
}

export const isPictures = (line: string): boolean =>
  line.trim() !== '' && line.replaceAll(PICTURE, '').trim() === '';

/** Formats a picture as markdown. Its width is a fragment of the URL, which other renderers ignore. */
export function writePicture({ alt, url, caption, width }: PictureSource): string {
  const title = caption === '' ? '' : ` "${escaped(caption, /["\\]/g)}"`;
  return `![${escaped(alt, /[[\]\\]/g)}](${url}${width === 'text' ? '' : `#w=${width}`}${title})`;
}

const escaped = (text: string, signs: RegExp) => text.replace(/[\n\r]+/g, ' ').replace(signs, '\\$&');
const plain = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
