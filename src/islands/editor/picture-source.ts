/** How wide a picture is: half a line, as it is but no wider than a line, or a whole line. */
export type PictureWidth = 'small' | 'text' | 'full';

/** What an author says of a picture. */
export interface PictureSource {
  /** For whoever does not see it. */
  alt: string;
  /** Without the width. */
  url: string;
  /** Under the picture; empty for none. */
  caption: string;
  width: PictureWidth;
}

// Repetitions are bounded, so that hostile text takes no quadratic time.
const PICTURE =
  /!\[((?:[^[\]\\]|\\.){0,500})\]\(([^\s()<>]{1,2048}?)(?:#w=(small|full))?(?:[ \t]{1,9}"((?:[^"\\]|\\.){0,500})")?\)/g;

/** The markdown picture of `line` that touches `offset`, with its place in the line; null where none does. */
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

/** Whether a line holds pictures and nothing else. */
export const isPictures = (line: string): boolean =>
  line.trim() !== '' && line.replaceAll(PICTURE, '').trim() === '';

/** A picture as markdown; the width is a fragment of its address, which other renderers ignore. */
export function writePicture({ alt, url, caption, width }: PictureSource): string {
  const title = caption === '' ? '' : ` "${escaped(caption, /["\\]/g)}"`;
  return `![${escaped(alt, /[[\]\\]/g)}](${url}${width === 'text' ? '' : `#w=${width}`}${title})`;
}

const escaped = (text: string, signs: RegExp) => text.replace(/[\n\r]+/g, ' ').replace(signs, '\\$&');
const plain = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
