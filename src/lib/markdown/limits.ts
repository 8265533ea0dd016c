import type { Root, RootContent } from 'hast';
import { HEADINGS, isElement, isFootnotes } from './elements.ts';
import { walk } from './walk.ts';

/** Maximum headings of an article; the corpus of 430 articles has at most 66 in one. */
export const MAX_HEADINGS = 2_000;
/**
 * Maximum UTF-8 bytes of an article's HTML plus twice its table of contents. With 20 comments of maximum
 * length the page is below the cache's 3.2 MB. The corpus's largest is 181 KB; 200,000 Chinese characters are
 * 620 KB.
 */
export const MAX_PAGE_BYTES = 1_500_000;
/** Bytes of markup per entry in the table of contents (components/Toc.astro). */
const TOC_ENTRY_BYTES = 120;

/**
 * Limits of formulas: TeX characters of one formula, depth of its MathML, number of distinct formulas, and
 * their total TeX in an article. Formulas past these stay TeX. An inline formula is long from `line`
 * characters of TeX, and wide from `signs` drawn characters: it may not fit on a line on a desktop screen.
 */
export const FORMULA_LIMITS = {
  formula: 5_000,
  depth: 60,
  formulas: 1_000,
  article: 40_000,
  line: 40,
  signs: 45,
} as const;

/**
 * Limits of one diagram: characters, lines, boxes, links, nesting depth, pixels of its width and height, and
 * characters of its SVG; and of an article: number of diagrams and their total lines. Diagrams past these
 * stay code. A diagram wider than `shrunk` pixels is not shrunk to the text width, because its labels would
 * be unreadable.
 */
export const DIAGRAM_LIMITS = {
  characters: 5_000,
  lines: 120,
  boxes: 80,
  links: 160,
  depth: 6,
  width: 3_000,
  shrunk: 880,
  height: 6_000,
  markup: 80_000,
  diagrams: 20,
  articleLines: 300,
} as const;

/** Code of more than `from` lines shows its first `shown` lines; the rest is folded. */
export const FOLDED_CODE = { from: 30, shown: 20 } as const;

// Real articles nest below 20. HTML parsers flatten at 512, and each level costs several stack frames in each
// of five passes.
const MAX_DEPTH = 200;
const MAX_MARKERS = 100;

const CODE = 'MARKDOWN_TOO_COMPLEX';

interface TooComplex extends Error {
  code: typeof CODE;
  sentence?: string;
}

/** Error for a text that cannot be rendered; `sentence` names the exceeded limit in Chinese, if any. */
function tooComplex(sentence?: string): Error {
  const error = new Error('markdown is too complex');
  return Object.assign(error, { code: CODE, ...(sentence === undefined ? {} : { sentence }) });
}

/** Whether `error` is from `tooComplex()`, or a stack overflow, which the limits are meant to prevent. */
export function isTooComplex(error: unknown): boolean {
  if (error instanceof RangeError) return error.message.includes('call stack');
  return isOwn(error);
}

/** Returns a fresh `tooComplex()` for an error that `isTooComplex` recognises, else the error itself. */
export const asTooComplex = (error: unknown): unknown =>
  isTooComplex(error) ? tooComplex(sentenceOf(error)) : error;

export function sentenceOf(error: unknown): string | undefined {
  return isOwn(error) ? error.sentence : undefined;
}

function isOwn(error: unknown): error is TooComplex {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === CODE;
}

/**
 * Refuses a line of markdown that opens over 100 quotes and lists; it would overflow the parser's stack
 * (SECURITY.md 3).
 */
export function refuseDeepLines(source: string): void {
  // Sticky, and each alternative starts with a different character: takes linear time.
  const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
  for (let start = 0; start < source.length;) {
    const end = source.indexOf('\n', start);
    const lineEnd = end < 0 ? source.length : end;
    let count = 0;
    marker.lastIndex = start;
    while (marker.lastIndex < lineEnd && marker.test(source)) {
      count += 1;
      if (count > MAX_MARKERS) throw tooComplex();
    }
    start = lineEnd + 1;
  }
}

/**
 * Rehype plugin: refuses trees deeper than 200 levels, which raw HTML can produce. Walks without recursion.
 */
export function rehypeRefuseDeepTree() {
  return (tree: Root): void => {
    let level: Root['children'] = tree.children;
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) throw tooComplex();
      level = level.flatMap((node) => ('children' in node ? node.children : []));
    }
  };
}

/** Rehype plugin: refuses more than `MAX_HEADINGS` headings before other work is done for each of them. */
export function rehypeRefuseManyHeadings() {
  return (tree: Root): void => refuseManyHeadings(countHeadings(tree));
}

export function countHeadings(tree: Root): number {
  let count = 0;
  walk<RootContent>(tree, (node) => {
    if (isFootnotes(node)) return 'skip';
    if (isElement(node, ...HEADINGS)) count += 1;
    return undefined;
  });
  return count;
}

export function refuseManyHeadings(count: number): void {
  if (count > MAX_HEADINGS) throw tooComplex(`正文的标题不能超过 ${MAX_HEADINGS} 个，请删减或分成几篇`);
}

/**
 * Returns a lower bound for the HTML bytes of a tree: its text, and one tag per element without attributes.
 */
export function treeBytes(tree: Root): number {
  let bytes = 0;
  walk<RootContent>(tree, (node) => {
    if (node.type === 'text') bytes += utf8Length(node.value);
    else if (node.type === 'element') bytes += node.tagName.length + 2;
  });
  return bytes;
}

export function refuseLargeTree(bytes: number): void {
  if (bytes > MAX_PAGE_BYTES) throw tooLarge();
}

export function refuseLargePage(htmlBytes: number, toc: readonly { text: string }[]): void {
  const entries = toc.reduce((sum, { text }) => sum + TOC_ENTRY_BYTES + utf8Length(text), 0);
  if (htmlBytes + 2 * entries > MAX_PAGE_BYTES) throw tooLarge();
}

const tooLarge = () => tooComplex(`正文排版后不能超过 ${MAX_PAGE_BYTES / 1_000_000} MB，请删减或分成几篇`);

const encoder = new TextEncoder();
/** The encoder takes longer than a loop for a short text, and a tenth of its time for a page. */
const MAX_LOOPED_CHARACTERS = 500;

/** Returns the UTF-8 bytes of `text`. Works in browsers and at the edge, where there is no Buffer. */
export function utf8Length(text: string): number {
  if (text.length > MAX_LOOPED_CHARACTERS) return encoder.encode(text).length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
