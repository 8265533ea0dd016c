import { hasLongRun } from '../../shared/title-runs.ts';
import type { Fonts, Shaped } from './fonts.ts';

/** Text that is never broken, laid out. `gap` is the space before it, unless it begins a line. */
export interface Piece {
  text: string;
  runs: Shaped[];
  /** In em. */
  width: number;
  gap: number;
  mayBegin: boolean;
  /** Whether titles of pages break before it: after a pause or, in titles with a long run, anywhere. */
  isAfterPause: boolean;
}

/** A character as a reader sees it, with the file of its font; null for a space. */
interface Drawn {
  text: string;
  file: string | null;
}

/** The pieces of a line; the gap of the first does not count. */
export type Line = Piece[];

/** Drawn where no font has a glyph: 〓, the printers' mark for a missing sort. */
const GETA = '〓';
/** Space between Chinese and Latin text, like the pages' text-autospace. */
const AUTOSPACE_EM = 0.15;
const SPACE_EM = 0.28;
const ELLIPSIS = '……';
/** Characters that a line of Chinese must not begin or end with (中文排版需求 3.1). */
const NO_BEGIN = /^[\p{Pe}\p{Pf}、。，．：；！？…—～·,.!?:;%‰℃々ー々%)\]}]/u;
const NO_END = /[\p{Ps}\p{Pi}#¥$￥＃]$/u;
/** Characters that allow a line break before and after them. */
const IDEOGRAPHIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}〓\u3000-\u303F\uFF01-\uFF60]/u;
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LATIN = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;
/**
 * Characters that are not drawn: controls, marks of direction, private and unassigned characters, lone
 * surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}]|(?![\u200C\u200D])\p{Cf}/gu;
const MAX_GRAPHEMES = 300;

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });
const words = new Intl.Segmenter('zh', { granularity: 'word' });
const segmentsOf = (segmenter: Intl.Segmenter, text: string) =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/**
 * Returns the characters of a text that can be drawn; 〓 replaces each run of characters that no font has.
 * Empty if nothing else is left.
 */
export async function drawable(text: string, fonts: Fonts): Promise<Drawn[]> {
  const clean = text.normalize('NFC').replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
  const drawn: Drawn[] = [];
  for (const grapheme of segmentsOf(graphemes, clean).slice(0, MAX_GRAPHEMES)) {
    if (grapheme === ' ') {
      if (drawn.at(-1)?.file) drawn.push({ text: ' ', file: null });
      continue;
    }
    const file = await fonts.fileFor(grapheme);
    if (file) drawn.push({ text: grapheme, file });
    else if (/^[\u200C\u200D\p{M}]+$/u.test(grapheme)) continue;
    else if (lastShown(drawn) !== GETA) drawn.push({ text: GETA, file: await fonts.fileFor(GETA) });
  }
  const hasWords = drawn.some(({ text: each }) => each !== GETA && each !== ' ');
  return hasWords ? drawn : [];
}

const lastShown = (drawn: { text: string }[]) => drawn.findLast(({ text }) => text !== ' ')?.text;

export async function piecesOf(text: string, fonts: Fonts, weight: number): Promise<Piece[]> {
  const characters = await drawable(text, fonts);
  const joined: Drawn[][] = [];
  let rest = characters;
  for (const word of segmentsOf(words, characters.map((each) => each.text).join(''))) {
    let length = 0;
    const count = rest.findIndex((each) => (length += each.text.length) >= word.length) + 1;
    const part = rest.slice(0, count);
    rest = rest.slice(count);
    const before = joined.at(-1);
    if (before && !mayBreak(before, part)) before.push(...part);
    else joined.push(part);
  }
  const pieces = await Promise.all(joined.map((part) => pieceOf(part, fonts, weight)));
  const isFree = hasLongRun(text);
  return pieces.map((piece, index) => ({
    ...piece,
    gap: gapBetween(pieces[index - 1], piece),
    isAfterPause: isFree || isPause(pieces[index - 1]?.text.at(-1) ?? '', piece.text.at(0) ?? ''),
  }));
}

const WORD = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}〓]/u;
const isPause = (left: string, right: string) => !WORD.test(left) || !WORD.test(right);

function mayBreak(before: { text: string }[], after: { text: string }[]): boolean {
  const [left = '', right = ''] = [before.at(-1)?.text, after[0]?.text];
  if (right === ' ' || left === ' ') return true;
  if (NO_BEGIN.test(right) || NO_END.test(left)) return false;
  return IDEOGRAPHIC.test(left) || IDEOGRAPHIC.test(right);
}

async function pieceOf(part: readonly Drawn[], fonts: Fonts, weight: number): Promise<Piece> {
  const text = part.map((each) => each.text).join('');
  if (text.trim() === '')
    return { text, runs: [], width: SPACE_EM, gap: 0, mayBegin: false, isAfterPause: true };
  const runs: Shaped[] = [];
  for (let start = 0; start < part.length;) {
    const { file } = part[start] ?? { file: null };
    let end = start + 1;
    while (part[end]?.file === file) end++;
    const run = part.slice(start, end).map((each) => each.text);
    const shaped = file === null ? space() : await fonts.shape(run.join(''), file, weight);
    if (shaped) runs.push(shaped);
    start = end;
  }
  return { text, runs, width: widthOf(runs), gap: 0, mayBegin: true, isAfterPause: true };
}

const space = (): Shaped => ({ glyphs: [], advance: SPACE_EM, unitsPerEm: 1000 });
const widthOf = (runs: Shaped[]) => runs.reduce((sum, { advance }) => sum + advance, 0);

function gapBetween(before: Piece | undefined, { text }: Piece): number {
  const left = before?.text.at(-1) ?? '';
  const right = text.at(0) ?? '';
  const isMixed = (HAN.test(left) && LATIN.test(right)) || (LATIN.test(left) && HAN.test(right));
  return isMixed ? AUTOSPACE_EM : 0;
}

export const widthOfLine = (line: Line): number =>
  line.reduce((sum, { width, gap }, index) => sum + width + (index === 0 ? 0 : gap), 0);

/**
 * Breaks pieces into lines of `width` em: as few as possible, of about the same length. If there are more
 * than `most` lines, they are cut and end in ……, or the result is null if `isCut` is false.
 */
export function breakLines(
  pieces: Piece[],
  { width, most, isCut, ellipsis }: { width: number; most: number; isCut: boolean; ellipsis: Piece },
): Line[] | null {
  const whole = fill(pieces, width);
  if (whole.length <= most) return balance(pieces, whole, width);
  if (!isCut) return null;
  return cutAfter(whole.slice(0, most), width, ellipsis);
}

/** Ends the lines with an ellipsis, which never begins a line. */
function cutAfter(lines: Line[], width: number, ellipsis: Piece): Line[] {
  const last = [...(lines.at(-1) ?? [])];
  while (last.length > 0 && widthOfLine(last) + ellipsis.width > width) last.pop();
  const rest = withoutEnd(last);
  if (rest.length === 0 && lines.length > 1) return cutAfter(lines.slice(0, -1), width, ellipsis);
  return [...lines.slice(0, -1), [...rest, { ...ellipsis, gap: 0 }]];
}

/** Breaks at pauses; a part without pauses that is longer than a line also between its pieces. */
function fill(pieces: Piece[], width: number): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  const end = () => {
    if (line.length > 0) lines.push(withoutEnd(line));
    line = [];
  };
  for (const part of partsOf(pieces)) {
    if (part[0]?.mayBegin && widthOfLine([...line, ...part]) > width) end();
    for (const piece of part) {
      if (piece.mayBegin && widthOfLine([...line, piece]) > width) end();
      if (line.length > 0 || piece.mayBegin) line.push(piece);
    }
  }
  end();
  return lines;
}

/** Splits at the pauses. */
function partsOf(pieces: Piece[]): Line[] {
  const parts: Line[] = [];
  for (const piece of pieces) {
    const part = parts.at(-1);
    if (part && !piece.isAfterPause) part.push(piece);
    else parts.push([piece]);
  }
  return parts;
}

const withoutEnd = (line: Line): Line => line.slice(0, line.findLastIndex(({ mayBegin }) => mayBegin) + 1);

/** Narrows the lines without adding one, so the last line does not hold a single word. */
function balance(pieces: Piece[], lines: Line[], width: number): Line[] {
  const narrower = width * 0.97;
  const parts = partsOf(pieces).flatMap((part) =>
    widthOfLine(part) > width ? part.map((each) => [each]) : [part],
  );
  const widest = Math.max(...parts.map(widthOfLine));
  if (lines.length < 2 || narrower < widest) return lines;
  const next = fill(pieces, narrower);
  return next.length > lines.length ? lines : balance(pieces, next, narrower);
}

const FROM_RIGHT = /\p{Script=Arabic}/u;

export function inSight(line: Line): Line {
  const seen: Line = [];
  for (let start = 0; start < line.length;) {
    let end = start + 1;
    const isFromRight = FROM_RIGHT.test(line[start]?.text ?? '');
    if (isFromRight)
      for (let next = end; next < line.length; next++) {
        const { text } = line[next] as Piece;
        if (FROM_RIGHT.test(text)) end = next + 1;
        else if (text.trim() !== '') break;
      }
    const words = line.slice(start, end);
    seen.push(...(isFromRight ? words.toReversed().map(turned) : words));
    start = end;
  }
  return seen;
}

const turned = (piece: Piece): Piece => ({ ...piece, runs: piece.runs.toReversed() });

export async function ellipsisOf(fonts: Fonts, weight: number): Promise<Piece> {
  const [piece] = await piecesOf(ELLIPSIS, fonts, weight);
  if (!piece) throw new Error('no font has an ellipsis');
  return { ...piece, mayBegin: false };
}

export async function cutLong(pieces: Piece[], width: number, fonts: Fonts, weight: number) {
  const cut = await Promise.all(
    pieces.map(async (piece) => {
      if (piece.width <= width) return [piece];
      const characters = await drawable(piece.text, fonts);
      const cut = await Promise.all(characters.map((each) => pieceOf([each], fonts, weight)));
      return cut.map((each, index) => ({ ...each, isAfterPause: index === 0 && piece.isAfterPause }));
    }),
  );
  return cut.flat();
}
