import { applyEdits, unedited } from '../../markdown-file/edits.ts';
import { createTickEnds, skipFence } from '../code-ends.ts';
import { inspect, type Inspected } from '../../markdown-file/inspect.ts';
import { createLines, type Range } from '../../markdown-file/offsets.ts';
import { createReader, finder, type Found } from './read-tag.ts';

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

function withoutParts(text: string, parts: readonly Range[]): string {
  const blank = ({ start, end }: Range) => text.slice(start, end).replace(/[^\n]/g, ' ');
  return applyEdits(
    unedited(text),
    parts.map((part) => ({ ...part, by: blank(part) })),
  ).text;
}

function scan(text: string, code: Inspected['code']): Found[] {
  const found: Found[] = [];
  const codeEnd = createCodeEnds(text, code);
  const readTag = createReader(text);
  const commentEnd = finder(text, '-->');
  const lineOf = createLines(text);
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

/** Finds the ends of inline code, and indented code. Positions may only increase. */
function createCodeEnds(text: string, code: Inspected['code']) {
  const indented = code.filter(({ start }) => !/[`~]/.test(text[start] ?? ''));
  let at = 0;
  return {
    ofTicks: createTickEnds(text),
    isIndented(offset: number): boolean {
      while ((indented[at]?.end ?? Infinity) <= offset) at += 1;
      return (indented[at]?.start ?? Infinity) <= offset;
    },
  };
}
