import { takeUnits } from '../shared/graphemes.ts';

// CONTRACT.md defines `<--阅读全文-->`; Hexo, Hugo and VuePress write the comment forms, and their files are
// imported unchanged.
const MAYBE_FOLD = /<!?--[ \t]*(?:阅读全文|more)/;
const FOLD = /^ {0,3}(?:<--[ \t]*阅读全文[ \t]*-->|<!--[ \t]*(?:阅读全文|more)[ \t]*-->)[ \t]*$/;
const FENCE = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})/;
const MAX_EXCERPT_CHARACTERS = 1_000;

interface Line {
  start: number;
  text: string;
  isCode: boolean;
  /** The fence that closes the code this line is in, or the empty string. */
  fence: string;
}

/**
 * Splits at the first 阅读全文 line outside code. `before` is the text above it, or all of `source`
 * without such a line. `withoutFold` is the article without any such lines.
 */
export function splitAtFold(source: string): { before: string; folded: boolean; withoutFold: string } {
  const folds = MAYBE_FOLD.test(source)
    ? linesOf(source).filter(({ text, isCode }) => !isCode && FOLD.test(text))
    : [];
  const [first] = folds;
  if (!first) return { before: source, folded: false, withoutFold: source };
  const parts: string[] = [];
  let position = 0;
  for (const { start, text } of folds) {
    parts.push(source.slice(position, start).trimEnd());
    position = start + text.length;
  }
  parts.push(source.slice(position));
  // A fold always ended the block before it, so one blank line stays. White space is kept only at the outer
  // ends.
  const withoutFold = parts
    .map((part, index) => (index === 0 ? part : part.replace(/^(?:[ \t]*\r?\n)+/, '')))
    .filter((part) => part !== '')
    .join('\n\n');
  return { before: parts[0] ?? '', folded: true, withoutFold };
}

/**
 * Returns an article's markdown for lists (CONTRACT.md, Entities): up to the fold, or the whole blocks that
 * fit. A first block over the limit is cut at a line or sentence; a cut code block is closed.
 * @param limit maximum length in UTF-16 units
 * @returns `showMore` is true if the article is longer than `content`
 */
export function listExcerpt(
  source: string,
  limit = MAX_EXCERPT_CHARACTERS,
): { content: string; showMore: boolean } {
  const { before, folded } = splitAtFold(source);
  if (before.length <= limit) return { content: before, showMore: folded };
  return { content: cut(before, limit), showMore: true };
}

function cut(source: string, limit: number): string {
  const lines = linesOf(source.slice(0, limit + 1));
  const fits = lines.filter(({ start }) => start > 0 && start <= limit);
  const block = fits.findLast(({ text, isCode }) => !isCode && text.trim() === '');
  // Prefers a cut inside a long block to an excerpt under a quarter of the limit.
  if (block && block.start >= limit / 4) return source.slice(0, block.start).trimEnd();
  const line = fits.at(-1);
  if (line && line.start >= limit / 4) {
    const last = lines[lines.indexOf(line) - 1];
    return source.slice(0, line.start).trimEnd() + (last?.fence ? `\n${last.fence}` : '');
  }
  if (block) return source.slice(0, block.start).trimEnd();
  return cutSentence(source, limit) + (lines.at(-1)?.fence ? `\n${lines.at(-1)?.fence}` : '');
}

function cutSentence(source: string, limit: number): string {
  const start = takeUnits(source, limit);
  const sentence = /^.*[。！？!?；;](?=.)/su.exec(start)?.[0] ?? '';
  return sentence.length >= limit / 4 ? sentence : `${start.trimEnd()}…`;
}

function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  let fence = '';
  let prefix = '';
  for (const raw of source.split('\n')) {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const wasOpen = fence !== '';
    if (wasOpen) {
      if (isClosing(text, fence)) fence = '';
    } else {
      const open = FENCE.exec(text);
      // A backtick after the run makes it inline code; a lookahead for it would take quadratic time.
      const isFence = open?.[2]?.startsWith('~') || (open && !text.includes('`', open[0].length));
      prefix = (open?.[1] ?? '').replace(/[^>\t]/g, ' ');
      fence = isFence ? (open?.[2] ?? '') : '';
    }
    lines.push({ start, text, isCode: wasOpen || fence !== '', fence: fence && prefix + fence });
    start += raw.length + 1;
  }
  return lines;
}

function isClosing(text: string, fence: string): boolean {
  const line = text.replace(/^[ \t>]*/, '').trimEnd();
  return line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length);
}
