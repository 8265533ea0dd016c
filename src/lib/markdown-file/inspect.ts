import { parse, postprocess, preprocess } from 'micromark';
import type { Construct, Event, Extension } from 'micromark-util-types';
import { markupTags } from '../markdown/syntax/unknown-tags.ts';
import type { Range } from './offsets.ts';
import { Problem } from './problem.ts';

/** Address of a link or picture: its position in the text, and its spelling there. */
export interface Target extends Range {
  url: string;
  /** Whether it is a picture's address; for a definition, whether a picture uses it. */
  isPicture: boolean;
  /** Whether it is the address of audio, video or a frame in HTML. */
  isMedium?: boolean;
  /** The whole link or picture; absent for a definition. */
  whole?: Whole;
  users?: Whole[];
}

interface Whole extends Range {
  /** Label of the link, or alternative text of the picture; empty for HTML. */
  text: string;
  isHtml: boolean;
}

export interface Heading extends Range {
  /** 1 to 6. */
  level: number;
  text: string;
}

/** Parts of a markdown text that an import needs; offsets are UTF-16 units. */
export interface Inspected {
  readonly targets: readonly Target[];
  readonly headings: readonly Heading[];
  /** Ranges of code, in which nothing may be changed. */
  readonly code: readonly Range[];
  /** Ranges of raw HTML. */
  readonly html: readonly Range[];
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    sign: 'sign';
  }
}

/**
 * Takes a character that starts nothing as a token. The parser would join it with the data around it, moving
 * all later events each time, which takes quadratic time.
 */
const SIGN: Construct = {
  name: 'sign',
  add: 'after',
  tokenize: (effects, ok) => (code) => {
    effects.enter('sign');
    effects.consume(code);
    effects.exit('sign');
    return ok;
  },
};

const signs = (text: string): Record<number, Construct> =>
  Object.fromEntries([...text].map((sign) => [sign.charCodeAt(0), SIGN]));

// Emphasis does not affect addresses and takes quadratic time on hostile text.
const EXTENSION: Extension = {
  disable: { null: ['attention'] },
  text: signs('!&*<[\\]_`'),
  string: signs('&\\'),
};
const CODE = new Set(['codeFenced', 'codeIndented', 'codeText']);
const TEXT = new Set(['data', 'sign', 'codeTextData', 'characterEscapeValue']);
const HTML = new Set(['htmlFlow', 'htmlText']);
// The attributes before the address are limited: hostile text would take quadratic time.
const ATTRIBUTE =
  /<(?:img|a|video|audio|source|iframe|embed)\b(?:"[^"]*"|'[^']*'|[^<>"']){0,500}?\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

let last: { text: string; found: Inspected } | undefined;

/**
 * Finds headings, code and addresses, including those in HTML. The last result is kept, because several steps
 * of an import inspect the same text. @throws Problem if it nests too deeply
 */
export function inspect(text: string): Inspected {
  if (last?.text !== text) last = { text, found: inspectOnce(text) };
  return last.found;
}

function inspectOnce(text: string): Inspected {
  const events = tokenize(text);
  const code: Range[] = [];
  const html: Range[] = [];
  const targets: Target[] = [];
  const pictures = new Map<string, Whole[]>();
  const open: { type: string; whole: Whole }[] = [];
  let name = '';
  // Destructuring arrays here and below would allocate several objects for each of the many events.
  for (const event of events) {
    const kind = event[0];
    const { type } = event[1];
    const start = event[1].start.offset;
    const end = event[1].end.offset;
    if (type === 'image' || type === 'link') {
      if (kind === 'enter') open.push({ type, whole: { start, end, text: '', isHtml: false } });
      else open.pop();
    }
    if (kind !== 'enter') continue;
    const inside = open.at(-1);
    const isPicture = open.some((each) => each.type === 'image');
    if (CODE.has(type)) code.push({ start, end });
    else if (HTML.has(type)) {
      html.push({ start, end });
      targets.push(...inHtml(text.slice(start, end), start));
    } else if (type === 'labelText' && inside) inside.whole.text = text.slice(start, end);
    else if (type === 'definitionLabelString') name = labelOf(text.slice(start, end));
    else if (type === 'resourceDestinationString')
      targets.push({ ...addressAt(text, start, end), isPicture, ...(inside && { whole: inside.whole }) });
    else if (type === 'definitionDestinationString')
      targets.push({ ...addressAt(text, start, end), isPicture: false, users: usersOf(pictures, name) });
    if (inside && inside.type === 'image' && (type === 'referenceString' || type === 'labelText'))
      usersOf(pictures, labelOf(text.slice(start, end))).push(inside.whole);
  }
  const notes = footnotes(events, text);
  return {
    targets: targets
      .filter(({ start }) => !notes.has(start))
      .map((target) => (target.users ? { ...target, isPicture: target.users.length > 0 } : target)),
    headings: findHeadings(events, text),
    code,
    html,
  };
}

const addressAt = (text: string, start: number, end: number) => ({ start, end, url: text.slice(start, end) });

const labelOf = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

function usersOf(pictures: Map<string, Whole[]>, name: string): Whole[] {
  const users = pictures.get(name) ?? [];
  pictures.set(name, users);
  return users;
}

/**
 * Tokens of CommonMark except emphasis, with HTML as the renderer reads it.
 * @throws Problem if the text nests too deeply
 */
export function tokenize(text: string): Event[] {
  try {
    return postprocess(
      parse({ extensions: [markupTags, EXTENSION] })
        .document()
        .write(preprocess()(text, undefined, true)),
    );
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('正文嵌套过深，无法解析');
    throw error;
  }
}

function inHtml(html: string, offset: number): Target[] {
  const visible = html.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length));
  return [...visible.matchAll(ATTRIBUTE)].map((match) => {
    const url = match[1] ?? match[2] ?? match[3] ?? '';
    const isQuoted = match[3] === undefined;
    const start = offset + match.index;
    const end = start + match[0].length - (isQuoted ? 1 : 0);
    const close = visible.indexOf('>', end - offset);
    const whole = { start, end: close < 0 ? end : offset + close + 1, text: '', isHtml: true };
    const isPicture = /^<img/i.test(match[0]);
    const isMedium = !isPicture && !/^<a/i.test(match[0]);
    return { start: end - url.length, end, url, isPicture, isMedium, whole };
  });
}

/** Start offsets of footnote texts (`[^1]: text`), which the parser mistakes for addresses of definitions. */
function footnotes(events: readonly Event[], text: string): Set<number> {
  const starts = new Set<number>();
  let isNote = false;
  for (const event of events) {
    if (event[0] !== 'enter') continue;
    const token = event[1];
    if (token.type === 'definition') isNote = text.startsWith('[^', token.start.offset);
    if (isNote && token.type === 'definitionDestinationString') starts.add(token.start.offset);
  }
  return starts;
}

function findHeadings(events: readonly Event[], text: string): Heading[] {
  const headings: Heading[] = [];
  events.forEach((event, index) => {
    const level = event[0] === 'enter' ? levelOf(events, index, text) : 0;
    if (level === 0) return;
    const [start, end] = [event[1].start.offset, event[1].end.offset];
    headings.push({ start, end, level, text: headingText(events, index, text) });
  });
  return headings;
}

/** Level of the heading that an event begins; 0 for other events. */
function levelOf(events: readonly Event[], index: number, text: string): number {
  const token = events[index]?.[1];
  if (token?.type === 'atxHeading')
    return /^#*/.exec(text.slice(token.start.offset, token.start.offset + 6))?.[0].length ?? 0;
  if (token?.type !== 'setextHeading') return 0;
  for (let at = index; at < events.length; at += 1) {
    const each = events[at]?.[1];
    if (each?.type === 'setextHeadingLineSequence') return text[each.start.offset] === '=' ? 1 : 2;
  }
  return 0;
}

function headingText(events: readonly Event[], index: number, text: string): string {
  const heading = events[index]?.[1];
  let parts = '';
  let inAddress = 0;
  for (let at = index; at < events.length; at += 1) {
    const [kind, token] = events[at] ?? [];
    if (!token || (token === heading && kind === 'exit')) break;
    if (token.type === 'resource' || token.type === 'reference') inAddress += kind === 'enter' ? 1 : -1;
    if (kind !== 'enter' || inAddress > 0) continue;
    if (TEXT.has(token.type)) parts += text.slice(token.start.offset, token.end.offset);
    else if (token.type === 'lineEnding') parts += ' ';
  }
  return parts.replaceAll('**', '').replace(/\s+/g, ' ').trim();
}
