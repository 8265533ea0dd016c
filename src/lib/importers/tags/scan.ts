import { inspect, type Inspected } from '../../markdown-file/inspect.ts';
import type { Found } from './found.ts';
import { createReader, finder } from './read-tag.ts';

const FENCE = /([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)/y;

const FENCED = /^[ \t>]*(?:`{3}|~{3})/m;

/**
 * Finds tags of generators outside code and HTML comments, in linear time.
 * @throws Problem for a text that nests too deeply
 */
export function scanTags(text: string): Found[] {
  if (!/\{[%{]/.test(text)) return [];
  const found = scan(text, inspect(text).code);
  const fenced = found.flatMap(({ end, rawEnd }) =>
    rawEnd && FENCED.test(text.slice(end, rawEnd.start)) ? [{ start: end, end: rawEnd.start }] : [],
  );
  if (fenced.length === 0) return found;
  // A fence inside a tag's content does not start a code block; otherwise the rest of the text would be code.
  return scan(text, inspect(withoutParts(text, fenced)).code);
}

function withoutParts(text: string, parts: readonly { start: number; end: number }[]): string {
  let result = '';
  let position = 0;
  for (const { start, end } of parts) {
    result += text.slice(position, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    position = end;
  }
  return result + text.slice(position);
}

function scan(text: string, code: Inspected['code']): Found[] {
  const found: Found[] = [];
  const codeEnd = createCodeEnds(text, code);
  const readTag = createReader(text);
  const newline = finder(text, '\n');
  const commentEnd = finder(text, '-->');
  let line = 0;
  let counted = 0;
  const lineOf = (offset: number): number => {
    for (let at = newline(counted); at !== -1 && at < offset; at = newline(counted)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  };
  const pattern = /\n|`+|\{%|\{\{|<!--/g;
  pattern.lastIndex = skipFence(text, 0);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { 0: sign, index: start } = match;
    let end = pattern.lastIndex;
    if (sign === '\n') end = skipFence(text, end);
    else if (sign === '<!--') end = Math.max(end, commentEnd(end) + 3);
    else if (sign.startsWith('`')) end = codeEnd.ofTicks(start) ?? end;
    else {
      const tag = codeEnd.isIndented(start) ? null : readTag(start);
      if (tag) found.push({ ...tag, line: lineOf(start) });
      if (tag) end = tag.rawEnd?.end ?? tag.end;
    }
    pattern.lastIndex = end;
  }
  return found;
}

/** Returns the end of fenced code that starts at `start`, the start of a line; `start` for other text. */
function skipFence(text: string, start: number): number {
  FENCE.lastIndex = start;
  const [, before = '', marks = '', info = ''] = FENCE.exec(text) ?? [];
  const [mark = ''] = marks;
  if (mark === '' || (mark === '`' && info.includes('`'))) return start;
  // Fenced code in a quotation ends with the quotation.
  const orOutside = before.includes('>') ? '|^(?![ \\t]*>)' : '';
  const end = new RegExp(`^[ \\t>]*${mark}{${marks.length},}[ \\t]*$${orOutside}`, 'gm');
  end.lastIndex = FENCE.lastIndex + 1;
  return end.exec(text) ? end.lastIndex : text.length;
}

/** Finds the ends of inline code, and indented code. Positions may only increase. */
function createCodeEnds(text: string, code: Inspected['code']) {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  // Backwards: each run of backticks needs the next one of its length in the same paragraph.
  for (const { 0: run, index } of [...text.matchAll(/`+|\n[ \t]*\n/g)].toReversed()) {
    if (run.startsWith('\n')) {
      next.clear();
      continue;
    }
    const end = next.get(run.length);
    if (end !== undefined && text[index - 1] !== '\\') ends.set(index, end);
    next.set(run.length, index + run.length);
  }
  const indented = code.filter(({ start }) => !/[`~]/.test(text[start] ?? ''));
  let at = 0;
  return {
    ofTicks: (start: number): number | undefined => ends.get(start),
    isIndented(offset: number): boolean {
      while ((indented[at]?.end ?? Infinity) <= offset) at += 1;
      return (indented[at]?.start ?? Infinity) <= offset;
    },
  };
}
