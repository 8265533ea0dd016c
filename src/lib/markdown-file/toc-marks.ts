import { inspect } from './inspect.ts';
import { createRangeTest } from './offsets.ts';

/** A line that generators and editors replace with a table of contents; the last form is kramdown's. */
const MARK =
  /^[ \t]{0,3}(?:\[toc\]|\[\[_?toc_?\]\]|@\[toc\](?:\([^()\n]{0,200}\))?|\{:toc\}|[-*+][ \t][^\n]{0,200}\n[ \t]*\{:[ \t]*toc\b[^}\n]{0,200}\}|\d\.[ \t][^\n]{0,200}\n[ \t]*\{:[ \t]*toc\b[^}\n]{0,200}\})[ \t]*$/gim;
const DEFINITION = /^ {0,3}\[toc\]:/im;

/** Removes marks for a table of contents, which each article has here; keeps the line breaks. */
export function withoutTocMarks(body: string): string {
  if (!/toc/i.test(body) || DEFINITION.test(body)) return body;
  if (body.search(MARK) === -1) return body;
  const isCode = createRangeTest(inspect(body).code);
  return body.replace(MARK, (mark, offset: number) => (isCode(offset) ? mark : mark.replace(/[^\n]+/g, '')));
}
