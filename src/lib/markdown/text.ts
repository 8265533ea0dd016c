import type { Nodes, Root, RootContent } from 'hast';
import { readCodeMeta } from './code/code-meta.ts';
import { captionOf } from './embeds/pictures.ts';
import { codeOf, HEADINGS, isElement, isFootnoteMark, isFootnotes, textOf } from './elements.ts';
import { closeUpPunctuation, takeGraphemes } from '../shared/graphemes.ts';

const MAX_SUMMARY_CHARACTERS = 140;
/** UTF-16 units that are enough for a summary: up to 16 in a character, and a space after each sign. */
const ENOUGH_UNITS = 2 * 16 * (MAX_SUMMARY_CHARACTERS + 2);

const BLOCKS = new Set(
  (
    'address aside blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section ' +
    'summary table tbody tfoot thead tr ul'
  ).split(' '),
);

class Lines {
  /** UTF-16 units of the lines that are complete. */
  units = 0;
  readonly #lines: string[] = [];
  #current = '';

  add(text: string): void {
    this.#current += text.replace(/[ \t\r\n\f]+/g, ' ');
  }

  addLine(text: string): void {
    if (text === '') return;
    this.break();
    this.add(text);
    this.break();
  }

  addCode(text: string): void {
    this.break();
    this.#lines.push(...text.replace(/\n+$/, '').split('\n'));
  }

  break(): void {
    const line = this.#current.replace(/ {2,}/g, ' ').trim();
    if (line) this.#lines.push(line);
    this.units += line.length;
    this.#current = '';
  }

  join(separator: string): string {
    this.break();
    return this.#lines.join(separator);
  }
}

/**
 * Returns the visible text of a sanitised tree, one line per block, with captions of pictures and titles of
 * code, without alternative texts and footnote marks.
 */
export function plainText(tree: Root): string {
  const lines = new Lines();
  collect(tree, lines, (node) => {
    lines.addLine(labelOf(node));
    return true;
  });
  return lines.join('\n');
}

/** Returns the text that pages show for a node and that is an attribute until the tree is decorated. */
function labelOf(node: Nodes): string {
  if (isElement(node, 'p')) return captionOf(node);
  const code = isElement(node, 'pre') ? codeOf(node) : undefined;
  return code ? readCodeMeta(String(code.properties['dataMeta'] ?? '')).title : '';
}

/**
 * Returns the opening of a sanitised tree, about 140 characters, with `…` if cut; `end` is the offset of the
 * fold in the source.
 */
export function summarise(tree: Root, end: number): string {
  const before = tree.children.filter((node) => (node.position?.start.offset ?? 0) < end);
  // Prefers prose; an article that opens without any is summarised from its headings, lists and tables.
  const prose = linesOf(before, (node) => !isElement(node, ...HEADINGS, 'pre', 'table'));
  return shorten(prose || linesOf(before, (node) => !isElement(node, 'pre')));
}

function linesOf(nodes: RootContent[], isWanted: (node: Nodes) => boolean): string {
  const lines = new Lines();
  for (const node of nodes) {
    if (!isFootnotes(node)) collect(node, lines, isWanted);
    if (lines.units > ENOUGH_UNITS) break;
  }
  return closeUpPunctuation(lines.join(' '));
}

function shorten(text: string): string {
  const start = takeGraphemes(text, MAX_SUMMARY_CHARACTERS);
  if (start.length === text.length) return text;
  // Does not cut inside a Latin word, unless there is just one word.
  const isWordCut = /[\w'-]$/.test(start) && /^[\w'-]/.test(text.slice(start.length));
  const whole = isWordCut ? start.replace(/[\w'-]{1,30}$/, '') || start : start;
  return `${whole.replace(/[\s，、；：,;:。.…]+$/, '')}…`;
}

function collect(node: Nodes, lines: Lines, isWanted: (node: Nodes) => boolean): void {
  if (node.type === 'text') lines.add(node.value);
  if (!('children' in node) || isFootnoteMark(node) || !isWanted(node)) return;
  const tagName = node.type === 'element' ? node.tagName : '';
  if (tagName === 'br' || BLOCKS.has(tagName)) lines.break();
  if (tagName === 'td' || tagName === 'th') lines.add(' ');
  if (tagName === 'math') {
    lines.add(textOf(node));
    return;
  }
  if (tagName === 'pre') {
    lines.addCode(textOf(node));
    return;
  }
  const isHiddenTitle = (child: Nodes): boolean => isFootnotes(node) && isElement(child, 'h2');
  for (const child of node.children) if (!isHiddenTitle(child)) collect(child, lines, isWanted);
  if (BLOCKS.has(tagName)) lines.break();
}
