import type { Edit } from '../markdown-file/edits.ts';
import type { Range } from '../markdown-file/offsets.ts';

export interface SizedPicture {
  alt: string;
  url: string;
  title?: string;
  /** Digits, or a percentage of the line; '' if not given. */
  width: string;
  height: string;
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replace(/[<>"|]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/\s+/g, ' ');

/**
 * Writes a picture with a size, for which markdown has no syntax. Alone on its line it becomes a paragraph
 * between blank lines: text after a tag that starts a paragraph would not be read as markdown.
 */
export function writeSized(text: string, { start, end }: Range, picture: SizedPicture): Edit {
  const attributes = Object.entries({
    src: picture.url,
    alt: picture.alt,
    title: picture.title ?? '',
    width: picture.width,
    height: picture.height.endsWith('%') ? '' : picture.height,
  }).filter(([name, value]) => value !== '' || name === 'alt');
  const tag = `<img ${attributes.map(([name, value]) => `${name}="${escape(value)}"`).join(' ')}>`;
  const near = text.slice(Math.max(0, start - 400), start);
  const lineStart = near.lastIndexOf('\n') + 1;
  const before = near.slice(lineStart);
  const after = text.slice(end, end + 200);
  const [, outer = '', sign = ''] = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.exec(before) ?? [];
  if (outer + sign !== before || !/^[ \t]*(?:\n|$)/.test(after)) return { start, end, by: tag };
  const prefix = outer + ' '.repeat(sign.length);
  const blank = `\n${prefix.trimEnd()}`;
  const isAfterText =
    sign === '' && !isBlank(near.slice(near.lastIndexOf('\n', lineStart - 2) + 1, lineStart));
  const isBeforeText = !isBlank(/^[ \t]*\n([^\n]*)/.exec(after)?.[1] ?? '');
  const lead = isAfterText && lineStart > 0 ? `\n${prefix}` : '';
  return { start, end, by: `${lead}<p>${tag}</p>${isBeforeText ? blank : ''}` };
}

const isBlank = (line: string): boolean => /^[ \t>\n]*$/.test(line);
