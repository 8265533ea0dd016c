import type { Range } from '../../markdown-file/offsets.ts';

export interface JsxTag extends Range {
  /** Empty for a fragment; starts with a capital or has a dot for a component. */
  name: string;
  isEnd: boolean;
  attributes: JsxAttribute[];
}

export interface JsxAttribute extends Range {
  /** Empty for `{...props}`. */
  name: string;
  /** Source of the value with its quotes or braces; empty without a value. */
  value: string;
}

/** Longest tag or expression that is read; larger ones hold data, not text. */
const MAX_CHARACTERS = 20_000;
const TAG = /<(\/?)(?:([A-Za-z_$][\w$.:-]*)(?=[\s/>{])|(?=>))/y;
const ATTRIBUTE = /\s*(?:([A-Za-z_$][\w$.:-]*)(?:\s*=\s*("[^"]*"|'[^']*'|(?=\{)))?|(?=\{))/y;

/** Reads the tag at `start`; null for other text. */
export function readTag(text: string, start: number): JsxTag | null {
  TAG.lastIndex = start;
  const [, slash = '', name = ''] = TAG.exec(text) ?? [];
  if (TAG.lastIndex === 0) return null;
  const attributes: JsxAttribute[] = [];
  let at = TAG.lastIndex;
  while (at - start < MAX_CHARACTERS) {
    const [close] = /^\s*\/?\s*>/.exec(text.slice(at, at + 200)) ?? [];
    if (close !== undefined) return { start, end: at + close.length, name, isEnd: slash !== '', attributes };
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (!match) return null;
    const [source, attribute = '', quoted] = match;
    const from = at + source.length - source.trimStart().length;
    let end = at + source.length;
    const isBraced = text[end] === '{' && (attribute === '' || quoted === '');
    if (isBraced) end = endOfBraces(text, end) ?? text.length;
    else if (attribute === '') return null;
    const value = isBraced ? text.slice(at + source.length, end) : (quoted ?? '');
    attributes.push({ name: attribute, value, start: from, end });
    at = end;
  }
  return null;
}

/** Braces, and the strings and comments that hide others. */
const BRACES = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|[{}]/g;

/** Returns the end of the expression in braces at `start`; null if it has none. */
export function endOfBraces(text: string, start: number): number | null {
  let depth = 0;
  const source = text.slice(start, start + MAX_CHARACTERS);
  for (const { 0: sign, index } of source.matchAll(BRACES)) {
    if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if (depth === 0) return start + index + sign.length;
  }
  return null;
}

const MODULE =
  /(?:import\s+(?:["']|[\w$*{][^"'\n;]*(?:\n[^"'\n;]*){0,60}?\sfrom\s*["'])|export\s+(?:const|let|var|function|default|async|class|\{|\*))/y;

/** Returns the end of the lines of a module at `start`, the start of a line; null for other text. */
export function endOfModule(text: string, start: number): number | null {
  MODULE.lastIndex = start;
  if (!MODULE.test(text)) return null;
  let end = start;
  // A blank line ends them, unless it is in braces.
  while (end < text.length) {
    const brace = text.indexOf('{', end);
    const blank = endOfParagraph(text, end);
    if (brace === -1 || brace >= blank) return blank;
    end = endOfBraces(text, brace) ?? blank;
    if (end === blank) return blank;
  }
  return text.length;
}

function endOfParagraph(text: string, start: number): number {
  const blank = /\n[ \t]*(?=\n)/g;
  blank.lastIndex = start;
  const match = blank.exec(text);
  return match ? match.index : text.trimEnd().length;
}
