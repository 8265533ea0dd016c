import { parse, postprocess, preprocess } from 'micromark';
import type { Event, Extension } from 'micromark-util-types';
import { Problem } from './problem.ts';

/** The address of a link or picture: where it stands in the text, and as it is written there. */
export interface Target {
  start: number;
  end: number;
  url: string;
  /** Whether it is a picture's; of a definition, which may serve both, it is not said. */
  isPicture: boolean;
}

export interface Heading {
  /** Of the whole heading, its marks included. */
  start: number;
  end: number;
  text: string;
}

/** What an import must know of a markdown text; offsets are UTF-16 units. */
export interface Inspected {
  targets: Target[];
  /** The first heading of level 1. */
  title: Heading | null;
  /** Code, where nothing is to be changed. */
  code: { start: number; end: number }[];
}

// Emphasis moves no address and takes quadratic time on hostile text.
const EXTENSION: Extension = { disable: { null: ['attention'] } };
const CODE = new Set(['codeFenced', 'codeIndented', 'codeText']);
const ADDRESSES = new Set(['resourceDestinationString', 'definitionDestinationString']);
const TEXT = new Set(['data', 'codeTextData', 'characterEscapeValue']);
const HTML = new Set(['htmlFlow', 'htmlText']);
// Attributes before the address are bounded, so that hostile text takes no quadratic time.
const ATTRIBUTE =
  /<(?:img|a)\b(?:"[^"]*"|'[^']*'|[^<>"']){0,500}?\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Finds title, code and addresses, also of `<img>` and `<a>`. @throws Problem where it nests too deeply */
export function inspect(text: string): Inspected {
  const events = tokenize(text);
  const code: Inspected['code'] = [];
  const targets: Target[] = [];
  let depth = 0;
  for (const [kind, token] of events) {
    if (token.type === 'image') depth += kind === 'enter' ? 1 : -1;
    if (kind !== 'enter') continue;
    const [start, end] = [token.start.offset, token.end.offset];
    if (CODE.has(token.type)) code.push({ start, end });
    else if (ADDRESSES.has(token.type))
      targets.push({ start, end, url: text.slice(start, end), isPicture: depth > 0 });
    else if (HTML.has(token.type)) targets.push(...inHtml(text.slice(start, end), start));
  }
  const notes = footnotes(events, text);
  return {
    targets: targets.filter(({ start }) => !notes.has(start)),
    title: findTitle(events, text),
    code,
  };
}

function tokenize(text: string): Event[] {
  try {
    return postprocess(
      parse({ extensions: [EXTENSION] })
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
    const end = offset + match.index + match[0].length - (isQuoted ? 1 : 0);
    return { start: end - url.length, end, url, isPicture: /^<img/i.test(match[0]) };
  });
}

/** Where definitions of footnotes (`[^1]: text`) have what a definition would hold its address in. */
function footnotes(events: readonly Event[], text: string): Set<number> {
  const starts = new Set<number>();
  let isNote = false;
  for (const [kind, token] of events) {
    if (kind !== 'enter') continue;
    if (token.type === 'definition') isNote = text.startsWith('[^', token.start.offset);
    if (isNote && token.type === 'definitionDestinationString') starts.add(token.start.offset);
  }
  return starts;
}

function findTitle(events: readonly Event[], text: string): Inspected['title'] {
  for (const [index, [kind, token]] of events.entries()) {
    if (kind !== 'enter' || !isTitle(events, index, text)) continue;
    return { start: token.start.offset, end: token.end.offset, text: headingText(events, index, text) };
  }
  return null;
}

/** Whether a heading of level 1 begins with the event at `index`. */
function isTitle(events: readonly Event[], index: number, text: string): boolean {
  const token = events[index]?.[1];
  if (token?.type === 'atxHeading')
    return /^#(?!#)/.test(text.slice(token.start.offset, token.start.offset + 2));
  if (token?.type !== 'setextHeading') return false;
  for (let at = index; at < events.length; at += 1) {
    const each = events[at]?.[1];
    if (each?.type === 'setextHeadingLineSequence') return text[each.start.offset] === '=';
  }
  return false;
}

/** The heading that begins at event `index`, as read: without marks, addresses and tags. */
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
