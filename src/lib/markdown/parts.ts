import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast';
import { calloutDepth } from './callouts.ts';
import { isDefinitionList } from './definition-lists.ts';
import { hasHtml, isClosed } from './part-elements.ts';
import { steps } from './pipeline.ts';
import { walk } from './walk.ts';

/** What stands in one place and is referred to from others. */
export type Defining = Definition | FootnoteDefinition;

/** Blocks of an article that are rendered by themselves: with what comes before they share nothing open. */
export interface Part {
  /** Its source, up to where the next one begins. */
  readonly source: string;
  /** Line ends in `source`. */
  readonly lines: number;
  /** What others may refer to: addresses and notes, as first parsed. */
  readonly definitions: readonly Defining[];
  /** Identifiers of the addresses it uses, and of the notes, in reading order. */
  readonly links: ReadonlySet<string>;
  readonly notes: readonly string[];
  readonly hasRaw: boolean;
  /** Whether raw HTML anywhere changes how it is written: marks of notes, an empty first line of code. */
  readonly feelsRaw: boolean;
  /** Whether its raw HTML leaves something open; only the last part's may. */
  readonly isOpen: boolean;
  /** Its blocks, until they are rendered: that changes them. */
  parsed: Parsed | null;
}

/** Blocks with positions in `text`, where their part begins on line `line`. */
export interface Parsed {
  nodes: RootContent[];
  text: string;
  line: number;
}

/** The article's blocks from `from` to `to`, parsed knowing `context`, the definitions of the rest. */
export interface Region {
  text: string;
  /** Length of what stands before the region in `text`. */
  offset: number;
  nodes: RootContent[];
  /** Offsets in the region at which parsing may begin anew. */
  starts: number[];
}

/** Parses a region of an article. `context` are definitions that stand elsewhere. */
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

/** Only names count while parsing. The rule keeps an indented block after it out of the last note. */
function contextText(context: readonly Defining[]): string {
  if (context.length === 0) return '';
  const named = context.map(({ type, identifier }) =>
    type === 'definition' ? `[${identifier}]: x` : `[^${identifier}]: x`,
  );
  return `${[...new Set(named)].join('\n\n')}\n\n***\n\n`;
}

const offsetOf = (node: RootContent) => node.position?.start.offset ?? 0;

/** Where the line of `node` begins, if parsing could begin there: no block before it can go on. */
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
 * The parts of a region up to `end`, an offset in it. The first begins with the region; the last is open
 * where callouts or raw HTML go on past `end`.
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
    // What is still open takes in what follows, twice as much each time: looking is not free.
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
    // Rendering changes the nodes it is given.
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

/** What `nodes` refer to, without the notes' own texts: those stand at the article's end. */
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

/** A part parsed anew, knowing the definitions that stand elsewhere. */
export function parseAgain(part: Part, context: readonly Defining[]): Parsed {
  const { text, offset, nodes } = parseRegion(part.source, context);
  return { nodes, text, line: countLines(text.slice(0, offset)) + 1 };
}
