import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast';
import { calloutDepth } from '../syntax/callouts.ts';
import { isDefinitionList } from '../syntax/definition-lists.ts';
import { hasHtml, isClosed } from './part-elements.ts';
import { steps } from '../pipeline.ts';
import { walk } from '../walk.ts';

export type Defining = Definition | FootnoteDefinition;

/** Blocks of an article that can be rendered separately: no element from earlier blocks is still open. */
export interface Part {
  readonly source: string;
  readonly lines: number;
  /** Link and footnote definitions as first parsed; other parts may refer to them. */
  readonly definitions: readonly Defining[];
  /**
   * Identifiers of the link definitions it uses; `notes` has the footnotes' identifiers, in reading order.
   */
  readonly links: ReadonlySet<string>;
  readonly notes: readonly string[];
  readonly hasRaw: boolean;
  /**
   * Whether raw HTML anywhere in the article affects this part: footnote marks, or code with an empty first
   * line.
   */
  readonly feelsRaw: boolean;
  /** Whether its raw HTML leaves elements open; only possible in the last part. */
  readonly isOpen: boolean;
  /** The parsed blocks, null after rendering, which modifies them. */
  parsed: Parsed | null;
}

/** Blocks with positions in `text`, in which the part begins on line `line`. */
export interface Parsed {
  nodes: RootContent[];
  text: string;
  line: number;
}

/** Blocks of a region of the article, parsed with the definitions of the rest as context. */
export interface Region {
  text: string;
  /** Length of the context that precedes the region in `text`. */
  offset: number;
  nodes: RootContent[];
  starts: number[];
}

export function parseRegion(region: string, context: readonly Defining[]): Region {
  const before = contextText(context);
  const text = before + region;
  const nodes = steps.parse(text).children.filter((node) => offsetOf(node) >= before.length);
  const starts = nodes.flatMap((node, index) => {
    const start = safeStart(text, node, nodes[index - 1]);
    return start === undefined ? [] : [start - before.length];
  });
  return { text, offset: before.length, nodes, starts };
}

/**
 * Writes definitions with dummy addresses: the parser only needs the names. The rule keeps an indented block
 * after it out of the last footnote.
 */
function contextText(context: readonly Defining[]): string {
  if (context.length === 0) return '';
  const named = context.map(({ type, identifier }) =>
    type === 'definition' ? `[${identifier}]: x` : `[^${identifier}]: x`,
  );
  return `${[...new Set(named)].join('\n\n')}\n\n***\n\n`;
}

const offsetOf = (node: RootContent) => node.position?.start.offset ?? 0;

/**
 * Returns the start of the line of `node` if parsing can start there: no block before it can continue into
 * it.
 */
function safeStart(text: string, node: RootContent, before: RootContent | undefined): number | undefined {
  const start = text.lastIndexOf('\n', offsetOf(node) - 1) + 1;
  if (text.slice(start, offsetOf(node)).trim() !== '') return undefined;
  if (isDefinitionList(node) && isDefinitionList(before)) return undefined;
  const isAfterBlank = /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(Math.max(0, start - 200), start));
  const isAfterWhole = before?.type === 'heading' || before?.type === 'thematicBreak';
  const isHeading = node.type === 'heading' && text[offsetOf(node)] === '#';
  return start === 0 || isAfterBlank || isAfterWhole || isHeading ? start : undefined;
}

/**
 * Splits a region into parts up to the offset `end`. The first part begins with the region; the last is open
 * if callouts or raw HTML continue past `end`.
 */
export function partsOf(region: Region, end: number): { parts: Part[]; isOpen: boolean } {
  const { text, offset, nodes } = region;
  if (end === 0) return { parts: [], isOpen: false };
  const cuts = [0, ...region.starts.filter((start) => start > 0 && start < end), end];
  const parts: Part[] = [];
  let next = 0;
  const takeUntil = (cut: number) => {
    const from = next;
    while (next < nodes.length && offsetOf(nodes[next] as RootContent) - offset < cut) next++;
    return nodes.slice(from, next);
  };
  let isOpen = false;
  let line = countLines(text.slice(0, offset)) + 1;
  for (let at = 0; at < cuts.length - 1;) {
    const start = cuts[at] ?? 0;
    const taken = takeUntil(cuts[++at] ?? end);
    // A part that is still open absorbs the following blocks, twice as many each time, because each check is
    // costly.
    for (let step = 1; (isOpen = !isWhole(taken, text)) && at < cuts.length - 1; step *= 2) {
      at = Math.min(at + step, cuts.length - 1);
      taken.push(...takeUntil(cuts[at] ?? end));
    }
    const part = partOf(
      { nodes: taken, text, line },
      text.slice(offset + start, offset + (cuts[at] ?? end)),
      isOpen,
    );
    line += part.lines;
    parts.push(part);
  }
  return { parts, isOpen };
}

const isWhole = (nodes: RootContent[], text: string) => calloutDepth(nodes) === 0 && isClosed(nodes, text);

const countLines = (text: string) => text.split('\n').length - 1;

function partOf(parsed: Parsed, source: string, isOpen: boolean): Part {
  const { nodes } = parsed;
  const root: Root = { type: 'root', children: nodes };
  const definitions: Defining[] = [];
  let feelsRaw = false;
  walk<RootContent>(root, (node) => {
    if (node.type === 'definition') definitions.push(node);
    feelsRaw ||= node.type === 'footnoteReference' || (node.type === 'code' && node.value.startsWith('\n'));
    // Rendering modifies its nodes.
    if (node.type === 'footnoteDefinition') definitions.push(structuredClone(node));
  });
  return {
    source,
    lines: countLines(source),
    definitions,
    hasRaw: hasHtml(nodes),
    feelsRaw,
    isOpen,
    parsed,
    ...referencesIn(nodes),
  };
}

export function referencesIn(nodes: RootContent[]): Pick<Part, 'links' | 'notes'> {
  const links = new Set<string>();
  const notes: string[] = [];
  walk<RootContent>({ type: 'root', children: nodes } as Root, (node) => {
    if (node.type === 'footnoteDefinition') return 'skip';
    if (node.type === 'linkReference' || node.type === 'imageReference') links.add(node.identifier);
    if (node.type === 'footnoteReference') notes.push(node.identifier);
    return undefined;
  });
  return { links, notes };
}

export function parseAgain(part: Part, context: readonly Defining[]): Parsed {
  const { text, offset, nodes } = parseRegion(part.source, context);
  return { nodes, text, line: countLines(text.slice(0, offset)) + 1 };
}
