import { CALLOUT_TITLES } from '../../markdown/syntax/callouts.ts';
import { isKindName, isQuotation, kindOf, titleOfName } from '../../markdown/syntax/callout-kinds.ts';
import { applyEdits, unedited, type Edit, type Edited } from '../../markdown-file/edits.ts';
import { tokenize } from '../../markdown-file/inspect.ts';
import { createLines, type Range } from '../../markdown-file/offsets.ts';

type CalloutHead = NonNullable<ReturnType<typeof readCalloutHead>>;

/** Kinds that the renderer reads itself. */
const RENDERED = /^\[!(?:note|tip|important|warning|caution)\][ \t]*$/i;
const HEAD = /^\[!([^\]|\n]{1,40})(?:\|[^\]\n]{0,40})?\]([+-]?)[ \t]*([^\n]*)$/;

/**
 * Reads the first line of a quotation; null unless it is the head of a callout that must be translated. A
 * callout of the kind `quote` stays a quotation. `unknown` is a name that neither Obsidian nor its themes
 * define, or empty.
 */
function readCalloutHead(line: string) {
  if (RENDERED.test(line)) return null;
  const [, written = '', fold = '', rest = ''] = HEAD.exec(line) ?? [];
  const name = written.trim().toLowerCase();
  if (name === '') return null;
  const given = plainTitle(rest);
  const isQuote = isQuotation(name);
  const isKnown = isQuote || isKindName(name);
  const isFolded = fold === '-';
  const kind = isFolded ? 'details' : isQuote ? 'quote' : kindOf(name);
  const title = given || (isKnown ? titleOf(name, kind) : written.trim());
  return { kind, title, unknown: isKnown ? '' : written.trim() };
}

/** Returns the title of a callout without one; '' if the renderer's is right. */
function titleOf(name: string, kind: string): string {
  if (kind === 'quote') return '';
  return titleOfName(name) || (kind === 'details' ? CALLOUT_TITLES[kindOf(name)] : '');
}

/** Titles are plain text here; a bracket at the start would end the title at the next one. */
const plainTitle = (source: string): string =>
  source
    .replace(/!?\[([^\]]*)\]\((?:<[^>]*>|[^)]*)\)/g, '$1')
    .replace(/<\/?mark>|\*\*|__|`/g, '')
    .replace(/^\[([^\]]*)\]/, '［$1］')
    .trim();

interface Quote extends Range {
  /** The `>` of each line, with the space after it. */
  prefixes: Range[];
  /** Prefixes before its first one that are removed with the callouts around it. */
  removed: Range[];
  /** Levels of callouts inside. */
  height: number;
  head: CalloutHead | null;
  /** Fenced code that the end of the quotation ends. */
  openFence: string;
}

/**
 * Turns Obsidian's callouts (`> [!faq]- title`) into this site's. Those that the renderer reads stay.
 * @param tell receives the line, from 0, and name of each kind that Obsidian does not define
 * @throws Problem for a text that nests too deeply
 */
export function translateCallouts(edited: Edited, tell: (line: number, kind: string) => void): Edited {
  const { text } = edited;
  if (!text.includes('[!')) return edited;
  const quotes = findQuotes(text);
  const lineAt = createLines(text);
  const edits = quotes.flatMap((quote): Edit[] => {
    if (!quote.head) return [];
    if (quote.head.unknown !== '') tell(edited.lineOf(lineAt(quote.start)), quote.head.unknown);
    return quote.head.kind === 'quote' ? asQuote(text, quote) : asCallout(text, quote, quote.head);
  });
  return applyEdits(edited, edits);
}

/** Whether a quotation becomes a callout. */
const isBox = ({ head }: Quote): boolean => head !== null && head.kind !== 'quote';

/** Returns the quotations, each after those inside it. */
function findQuotes(text: string): Quote[] {
  const found: Quote[] = [];
  const open: Quote[] = [];
  let [line, level, fences] = [0, 0, 0];
  for (const [kind, { type, start, end }] of tokenize(text)) {
    const range = { start: start.offset, end: end.offset };
    if (type === 'blockQuote') {
      if (kind === 'exit') found.push(...close(text, open));
      else open.push({ ...range, prefixes: [], removed: [], height: 0, head: null, openFence: '' });
    } else if (type === 'blockQuotePrefix' && kind === 'enter') {
      level = start.line === line ? level + 1 : 0;
      line = start.line;
      addPrefix(text, open.slice(0, level + 1), range);
    } else if (type === 'codeFencedFence' && kind === 'enter') {
      fences += 1;
    } else if (type === 'codeFenced') {
      const quote = open.at(-1);
      if (kind === 'exit' && fences === 1 && quote) quote.openFence = fenceOf(text, quote, range.start);
      fences = 0;
    }
  }
  return found;
}

/** Takes the last one of the open quotations from them. */
function close(text: string, open: Quote[]): Quote[] {
  const quote = open.pop();
  if (!quote) return [];
  const parent = open.at(-1);
  if (parent) parent.height = Math.max(parent.height, quote.height + (isBox(quote) ? 1 : 0));
  const last = quote.start + text.slice(quote.start, quote.end).trimEnd().length;
  return [{ ...quote, end: Math.max(last, quote.prefixes.at(-1)?.end ?? 0) }];
}

/** Adds a prefix to the innermost of `quotes`, and reads its head behind the first one. */
function addPrefix(text: string, quotes: readonly Quote[], prefix: Range): void {
  const [quote, ...outer] = quotes.toReversed();
  if (quote?.prefixes.length === 0) {
    quote.head = readCalloutHead(lineFrom(text, prefix.end));
    quote.removed = outer.flatMap((each) => (isBox(each) ? each.prefixes.slice(-1) : []));
  }
  quote?.prefixes.push(prefix);
}

/** Returns the fence that ends open code; '' if the code is in a list, which ends it. */
function fenceOf(text: string, { prefixes }: Quote, start: number): string {
  const prefix = prefixes.findLast((each) => each.end <= start);
  const [, fence = ''] = /^(`{3,}|~{3,})/.exec(text.slice(start, start + 200)) ?? [];
  return prefix && text.slice(prefix.end, start).trim() === '' ? fence : '';
}

const lineFrom = (text: string, start: number): string => text.slice(start, endOfLine(text, start));

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

/** A quotation stays one; its title becomes its first paragraph. */
function asQuote(text: string, quote: Quote): Edit[] {
  const [first] = quote.prefixes;
  if (!first || !quote.head) return [];
  const { title } = quote.head;
  const by = title === '' ? '' : `**${title}**\n${outerPrefix(text, quote)}>`;
  return [{ start: first.end, end: endOfLine(text, first.end), by }];
}

function asCallout(text: string, quote: Quote, { kind, title }: CalloutHead): Edit[] {
  const [first, ...others] = quote.prefixes;
  if (!first) return [];
  const inside = text.slice(quote.start, quote.end);
  const longest = [...inside.matchAll(/^[ \t>]*(:{3,})/gm)].reduce(
    (most, [, run = '']) => Math.max(most, run.length + 1),
    3,
  );
  const colons = ':'.repeat(longest + quote.height);
  const prefix = outerPrefix(text, quote);
  const lastLine = others.length === 0 ? '' : inside.slice(inside.lastIndexOf('\n') + 1);
  // The row of a table or an HTML block would take the next line.
  const blank = /[|<]/.test(lastLine) ? `\n${prefix.trimEnd()}` : '';
  const fence = quote.openFence === '' ? '' : `\n${prefix}${quote.openFence}`;
  return [
    { start: first.start, end: endOfLine(text, first.end), by: `${colons} ${kind} ${title}`.trimEnd() },
    ...others.map(({ start, end }) => ({ start, end, by: '' })),
    { start: quote.end, end: quote.end, by: `${fence}${blank}\n${prefix}${colons}` },
  ];
}

/** Returns what precedes the quotation on each line, after the callouts around it were translated. */
function outerPrefix(text: string, quote: Quote): string {
  const lineStart = text.lastIndexOf('\n', quote.start - 1) + 1;
  const cuts = quote.removed.map(({ start, end }) => ({
    start: start - lineStart,
    end: end - lineStart,
    by: '',
  }));
  const kept = applyEdits(unedited(text.slice(lineStart, quote.start)), cuts).text;
  return kept.replace(/[-*+]|\d{1,9}[.)]/g, (sign) => ' '.repeat(sign.length));
}
