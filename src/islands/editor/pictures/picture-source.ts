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

/** Names that browsers, cameras and screenshot tools give, before a number or a time. */
const GIVEN_NAMES = [
  '(?:pasted[ -])?(?:image|img|picture|pic|photo|graphic)',
  'screen ?shot|clean ?shot|snipaste|clipboard|blob|file|download|untitled|unnamed|unknown',
  'dsc[nf]?|pxl|mvimg|wechat ?img|mmexport|wx_camera|fullsizerender',
  '图片|图像|照片|截图|截屏|屏幕截图|屏幕快照|未命名|未标题|无标题|(?:微信|企业微信|qq)(?:图片|截图)',
];
const GIVEN_NAME = new RegExp(`^(?:${GIVEN_NAMES.join('|')})`, 'i');
const NUMBER_OR_TIME = /^(?:[\s\d_.,:：~()（）@-]|from|at|copy|副本|[ap]m|上午|下午|[年月日时分秒]|\dx)*$/i;
const DIGEST = /^[\da-f]{16,}$/i;

/**
 * Returns the alternative text of an uploaded file: its name, or '' for a name that says nothing about the
 * picture.
 */
export function altOfFile(fileName: string): string {
  const name = fileName
    .normalize('NFC')
    .replace(/\.[^.]*$/, '')
    .trim();
  const isGiven = NUMBER_OR_TIME.test(name.replace(GIVEN_NAME, '')) || DIGEST.test(name.replaceAll('-', ''));
  return isGiven ? '' : name.replace(/[[\]\\\n\r]/g, ' ').trim();
}
