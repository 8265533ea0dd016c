import { applyEdits, type Edit, type Edited } from '../markdown-file/edits.ts';
import { inspect, type Target } from '../markdown-file/inspect.ts';
import { findCode } from '../dialects/code-ranges.ts';
import { writeSized, type SizedPicture } from '../dialects/sized-picture.ts';
import { linked } from '../dialects/tags/markdown.ts';
import { DOCUMENT, FILE, IMAGE } from '../dialects/extensions.ts';

/** Links and pictures, also those that markdown does not read as such because of spaces in the address. */
const WRITTEN =
  /(!?)\[((?:[^[\]\n\\]|\\[^\n]|\[[^[\]\n]{0,200}\](?!\()){0,500})\]\(((?:[^()\n]|\([^()\n]{0,200}\)){1,1000})\)/g;
/** `=600x400` of markdown-it-imsize and CSDN. */
const SIZE = /\s=(\d{1,5}%?)?(?:[x*](\d{1,5}%?)?)?(?=\s|$)/i;
const TITLE = /\s+(?:"([^"]*)"|'([^']*)'|“([^”]*)”)\s*$/;
/** A title without quotes after a complete address. */
const UNQUOTED_TITLE = /^(https?:\/\/\S+|\S+\.(?:png|jpe?g|webp|gif|svg|avif|bmp))\s+(.+)$/i;
/** `|300x200` of Obsidian at the end of an alternative text. */
const SIZE_IN_ALT = /^([^]*)\|(\d{1,5})(?:x(\d{1,5}))?$/;

export const RESIZED = '图片的尺寸标记改成了 HTML 的 width 和 height';

/**
 * Rewrites links that only other tools read: addresses with spaces, and pictures with a size.
 * @param tell receives Chinese sentences
 * @throws Problem for a text that nests too deeply
 */
export function repairLinks(edited: Edited, tell: (what: string) => void): Edited {
  const { text } = edited;
  const found = [...text.matchAll(WRITTEN)].filter(
    ({ 2: label = '', 3: inside = '', index }) =>
      (/\s/.test(inside) || SIZE_IN_ALT.test(label)) && !isEscaped(text, index),
  );
  if (found.length === 0) return edited;
  const read = new Map(
    inspect(text).targets.flatMap((each) => (each.whole ? [[each.whole.start, each]] : [])),
  );
  const isCode = findCode(text);
  const edits = found.flatMap((match): Edit[] => {
    const { index: start } = match;
    if (isCode(start)) return [];
    const target = read.get(start);
    return target ? resize(text, target, tell) : repair(text, match, tell);
  });
  return applyEdits(edited, edits);
}

const isEscaped = (text: string, start: number): boolean =>
  (/\\*$/.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0) % 2 === 1;

function resize(text: string, { url, whole, isPicture, end }: Target, tell: (what: string) => void): Edit[] {
  const [, alt = '', width, height = ''] = (isPicture && SIZE_IN_ALT.exec(whole?.text ?? '')) || [];
  if (!whole || width === undefined) return [];
  const [, ...titles] = TITLE.exec(text.slice(end, whole.end - 1).replace(/^>/, '')) ?? [];
  tell(RESIZED);
  return [writeSized(text, whole, { alt, url, title: titles.find(Boolean) ?? '', width, height })];
}

function repair(text: string, match: RegExpExecArray, tell: (what: string) => void): Edit[] {
  const { 0: source, 1: sign = '', 2: label = '', 3: inside = '', index: start } = match;
  const place = { start, end: start + source.length };
  const { url, title, width, height } = readInside(inside);
  const isPicture = sign !== '';
  if (isPicture && width + height !== '') {
    tell(RESIZED);
    return [writeSized(text, place, { alt: label, url, title, width, height })];
  }
  const [path = ''] = url.split(/[?#]/);
  const isFile = [DOCUMENT, IMAGE, FILE].some((pattern) => pattern.test(path));
  if (url === '' || !/\s/.test(inside.trim()) || !(isPicture || isFile)) return [];
  return [{ ...place, by: sign + linked(label, url, title) }];
}

function readInside(inside: string): Omit<SizedPicture, 'alt' | 'title'> & { title: string } {
  let rest = inside.trim();
  const [mark = '', width = '', height = ''] = SIZE.exec(rest) ?? [];
  if (width + height !== '') rest = rest.replace(mark, '').trim();
  const [quoted, ...titles] = TITLE.exec(rest) ?? [];
  if (quoted !== undefined) rest = rest.slice(0, -quoted.length);
  const title = titles.find((each) => each !== undefined) ?? '';
  const bare = /^<(.*)>$/.exec(rest)?.[1] ?? rest;
  const [, address = bare, words = ''] = IMAGE.test(bare) ? [] : (UNQUOTED_TITLE.exec(bare) ?? []);
  return { url: withoutBackslashes(address), title: title || words, width, height };
}

/** In an address between angle brackets, a backslash may be an escape. */
const withoutBackslashes = (url: string): string =>
  /^(?:[a-z]:|\\\\)/i.test(url) ? url.replaceAll('\\', '/') : url;
