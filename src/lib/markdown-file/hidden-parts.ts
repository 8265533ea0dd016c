import { removeParts } from './edits.ts';
import { hidingOf, type Hiding } from './hiding-names.ts';
import { inspect } from './inspect.ts';
import { createRangeTest, joinRanges, type Range } from './offsets.ts';
import { Problem } from './problem.ts';

interface Marker extends Range {
  /** Equal for the two markers of a part. */
  key: string;
  name: string;
  isEnd: boolean;
  /** Whether it counts even without its counterpart. */
  isAlone: boolean;
}

// No form may contain its own opening characters: each character is read once for each form.
const NAME = String.raw`(\p{L}(?:[\p{L}\p{N}_.:/-]{0,60}[\p{L}\p{N}_])?)(?![\p{L}\p{N}_])`;
const form = (pattern: string, flags = 'giu'): RegExp => new RegExp(pattern, flags);
const COMMENT = form(String.raw`<!--\s{0,20}(/|end[\s_-]{1,3})?${NAME}([^<>]*?)(/?)-->`);
const LIQUID = form(String.raw`\{%-?\s{0,20}(end)?${NAME}((?:[^%{]|%(?!\}))*?)()-?%\}`);
const HUGO = form(String.raw`\{\{[<%]\s{0,20}(/?)\s{0,20}${NAME}([^{}]*?)(/?)[>%]\}\}`);
const BRACE = form(String.raw`(?<![{%])\{(/?)${NAME}([^{}]*?)(/?)\}(?!\})`);
const BRACKET = form(String.raw`(?<!\[)\\?\[(/?)${NAME}([^[\]]*?)(/?)\](?!\])`);
const ELEMENT = form(String.raw`<(/?)${NAME}([^<>]*?)(/?)>`);
const FORMS = [COMMENT, LIQUID, HUGO, BRACE, BRACKET, ELEMENT];
const CONTAINER = form(String.raw`^[ \t>]*(:{3,})[ \t]*(?:${NAME}[^\n]*)?$`, 'gimu');
const WIDE = /[！-～【】]/g;
const START = /(?:^|[\s_.:-])(?:start|begin|open)$|[开開]始$/i;
const END = /(?:^|[\s_.:-])(?:end|stop|close)$|[结結]束$/i;
const MAX_SHOWN_NAMES = 10;
/** More are not paired, so that the article is secret. */
const MAX_MARKERS = 2_000;

/**
 * Finds parts between paired markers whose name says that only some readers may see them, such as
 * `[hide]…[/hide]` and `{login}…{/login}`. Markers in code do not count. Takes linear time.
 * @param isHtml whether the text is HTML and not markdown
 * @returns null for a text without such parts
 */
function findHiddenParts(text: string, isHtml: boolean) {
  const markers = findMarkers(text);
  if (markers.length === 0) return null;
  if (markers.length > MAX_MARKERS) return { parts: [], names: [markers[0]?.name ?? ''], arePaired: false };
  const code = isHtml ? [] : codeOf(text);
  const isCode = createRangeTest([...code, ...codeElements(text, createRangeTest(code))]);
  const found = pairUp(markers.filter(({ start }) => !isCode(start)));
  return found.names.length === 0 ? null : found;
}

/**
 * Reads a text of an old site that may have hidden parts. They stay, and the article is secret, unless
 * `omits`: then they are removed, except for line breaks. Markers without counterpart always make it secret.
 * @returns warnings in Chinese
 */
export function hideParts(
  text: string,
  { omits, isHtml = false }: { omits: boolean; isHtml?: boolean },
): { text: string; isSecret: boolean; warnings: string[] } {
  const found = findHiddenParts(text, isHtml);
  if (!found) return { text, isSecret: false, warnings: [] };
  const names = found.names.slice(0, MAX_SHOWN_NAMES).join('、');
  if (!omits) return { text, isSecret: true, warnings: [`含有隐藏内容（${names}），已导入为私密`] };
  if (!found.arePaired)
    return { text, isSecret: true, warnings: [`隐藏内容的标记不成对（${names}），已导入为私密`] };
  const warnings = [`已略去隐藏部分（${names}）`];
  return { text: removeParts(text, found.parts), isSecret: false, warnings };
}

function findMarkers(text: string): Marker[] {
  // Wide brackets and letters count like narrow ones; the length stays the same.
  const folded = text.replace(WIDE, (sign) =>
    sign === '【' ? '[' : sign === '】' ? ']' : String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
  const hidings = new Map<string, Hiding>();
  const hides = (name: string): Hiding => {
    const known = hidings.get(name) ?? hidingOf(name);
    hidings.set(name, known);
    return known;
  };
  const markers: Marker[] = [];
  const isFull = (): boolean => markers.length > MAX_MARKERS;
  for (const pattern of FORMS)
    for (const match of folded.matchAll(pattern)) {
      const marker = isFull() ? null : markerOf(folded, match, pattern, hides);
      if (marker) markers.push(marker);
    }
  for (const marker of containersOf(folded, hides)) if (!isFull()) markers.push(marker);
  return markers.toSorted((a, b) => a.start - b.start);
}

function markerOf(
  text: string,
  { 0: whole, 1: slash, 2: written = '', 3: behind = '', 4: closed, index: start }: RegExpExecArray,
  pattern: RegExp,
  hides: (name: string) => Hiding,
): Marker | null {
  const rest = behind.replace(/\\$/, '').trim();
  const name = written.replace(START, '').replace(END, '');
  const hiding = hides(name);
  if (hiding === null || (closed ?? '') !== '') return null;
  const end = start + whole.length;
  const isEnd = (slash ?? '') !== '' || END.test(written) || END.test(rest);
  const isFree = pattern !== ELEMENT && !/^[([:]/.test(text.slice(end, end + 1));
  const before = text.slice(Math.max(0, start - 80), start);
  const isInWord =
    (pattern === BRACE && /[\w\\^$#}]$/.test(before)) || (pattern === BRACKET && /\w$/.test(before));
  const isPlain = rest === '' || rest.includes('=') || START.test(rest) || hides(rest) !== null;
  const isFirst = /(?:^|\n)[ \t>]*$/.test(before);
  const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 80));
  const isChinese = /\p{Script=Han}/u.test(name);
  const isMeant = isChinese
    ? isFirst && isLast && hiding === 'sure'
    : hiding === 'sure' || isFirst || rest !== '';
  const isAlone = isFree && (isEnd || (isPlain && isMeant && !isInWord));
  return { start, end, key: `${pattern.source} ${name.toLowerCase()}`, name, isEnd, isAlone };
}

/** Markers of containers (`:::name` to `:::`); one without an end reaches to the end of the text. */
function* containersOf(text: string, hides: (name: string) => Hiding): Generator<Marker> {
  const open = new Map<string, string[]>();
  for (const { 0: whole, 1: key = '', 2: written, index: start } of text.matchAll(CONTAINER)) {
    const names = open.get(key) ?? [];
    open.set(key, names);
    if (written !== undefined) names.push(written);
    const name = written ?? names.pop();
    if (name === undefined || hides(name) === null) continue;
    const isEnd = written === undefined;
    yield { start, end: start + whole.length, key, name, isEnd, isAlone: !isEnd };
  }
}

function pairUp(markers: readonly Marker[]) {
  const open = new Map<string, Marker[]>();
  const parts: Range[] = [];
  const names = new Set<string>();
  const single = new Set<Marker>();
  for (const marker of markers) {
    const started = open.get(marker.key) ?? [];
    const opening = marker.isEnd ? started.pop() : undefined;
    if (opening) {
      parts.push({ start: opening.start, end: marker.end });
      names.add(marker.name);
      single.delete(opening);
      continue;
    }
    if (!marker.isEnd) started.push(marker);
    open.set(marker.key, started);
    if (marker.isAlone) single.add(marker);
  }
  for (const { name } of single) names.add(name);
  // With a single marker, it is unknown what else was hidden.
  return { parts: joinRanges(parts), names: [...names], arePaired: single.size === 0 };
}

const CODE_ELEMENT = /<(\/?)(pre|code|textarea|script|style)\b[^<>]*>/gi;

/**
 * Finds elements of code outside of markdown's code; skips elements without an end, which may be mentions.
 */
function codeElements(text: string, isCode: (offset: number) => boolean): Range[] {
  const found: Range[] = [];
  let open: { name: string; start: number } | undefined;
  for (const { 0: whole, 1: slash, 2: written = '', index: start } of text.matchAll(CODE_ELEMENT)) {
    const name = written.toLowerCase();
    if (isCode(start)) continue;
    if (slash === '') open = open && open.name !== name ? open : { name, start };
    else if (open?.name === name) {
      found.push({ start: open.start, end: start + whole.length });
      open = undefined;
    }
  }
  return found;
}

function codeOf(text: string): readonly Range[] {
  try {
    return inspect(text).code;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [];
  }
}
