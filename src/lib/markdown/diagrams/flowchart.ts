import { DIAGRAM_LIMITS } from '../limits.ts';
import { hideSigns } from './svg.ts';

/**
 * Translates flowcharts for the library, which reads `A-->B` as a box called `A--` and does not support
 * Chinese names. Names become `n1`, `n2`, …; links get one length and spaces around them.
 */

const HEAD = /^(?:graph|flowchart)(?:[ \t]+(TB|TD|BT|RL|LR))?[ \t]*$/;
const NAME = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/uy;
const CLASS = /:::[\w-]+/y;
const AND = /\s*&\s*/y;
const LINK = /\s*(<)?(--+>|---+|-\.+->|-\.+-|==+>|===+)(?:\s*\|([^|]*)\|)?\s*/y;
const WORDED_LINK =
  /\s*(<)?(--|-\.|==)(?:\s+|(?![xo]))([^-=.|>\s][^|>]*?)\s*(--+>|---+|\.+->|\.+-|==+>|===+)\s*/y;
/** Opening and closing marks of boxes; longer marks come first. */
const BOXES = [
  ['(((', ')))'],
  ['([', '])'],
  ['((', '))'],
  ['[[', ']]'],
  ['[(', ')]'],
  ['{{', '}}'],
  ['[/', '\\]'],
  ['[\\', '/]'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['>', ']'],
] as const;
/**
 * Statements for appearance and interaction are skipped: the page styles diagrams, and they are not
 * interactive.
 */
const LOOKS = /^(?:classDef|class|style|linkStyle|click|accTitle|accDescr)\b/;

/** Returns the flowchart in the library's syntax; null if it may not be drawn faithfully. */
export function readFlowchart(lines: readonly string[]): string | null {
  const [head = '', ...body] = lines.flatMap(splitStatements);
  const direction = HEAD.exec(head);
  if (!direction) return null;
  const chart: Chart = { boxes: new Map(), groups: new Set(), statements: [], links: 0, depth: 0 };
  for (const line of body)
    if (!LOOKS.test(line) && !(readGroup(chart, line) ?? readChain(chart, line))) return null;
  const isMuch = chart.boxes.size > DIAGRAM_LIMITS.boxes || chart.links > DIAGRAM_LIMITS.links;
  // The library's layout does not support links to a group.
  const isLinked = [...chart.groups].some((name) => chart.boxes.has(name));
  if (chart.depth !== 0 || isMuch || isLinked || chart.boxes.size === 0) return null;
  const defined = new Set<string>();
  const statements = chart.statements.map((print) => print(defined));
  return [`graph ${direction[1] ?? 'TB'}`, ...statements].join('\n');
}

const splitStatements = (line: string): string[] =>
  (line.match(/(?:"[^"]*"|[^;"]|")+?(?=;|$)/g) ?? [])
    .map((part) => part.replace(/^;/, '').trim())
    .filter(Boolean);

interface Chart {
  boxes: Map<string, { id: string; open: string; close: string; label: string }>;
  groups: Set<string>;
  statements: ((defined: Set<string>) => string)[];
  links: number;
  depth: number;
}

function readGroup(chart: Chart, line: string): boolean | null {
  const [, rest] = /^subgraph\s+(.+)$/.exec(line) ?? [];
  if (rest !== undefined) {
    const [, name = rest, label = rest] = /^([^\s[\]]+)\s*\[(.+)\]$/.exec(rest) ?? [];
    const id = `g${chart.groups.size + 1}`;
    chart.groups.add(name);
    chart.statements.push(() => `subgraph ${id} [${labelOf(label)}]`);
    chart.depth += 1;
    return chart.depth <= DIAGRAM_LIMITS.depth;
  }
  if (line === 'end') {
    chart.statements.push(() => line);
    chart.depth -= 1;
    return chart.depth >= 0;
  }
  const isDirection = /^direction\s+(?:TB|TD|BT|RL|LR)$/.test(line);
  if (!isDirection) return null;
  chart.statements.push(() => line);
  return chart.depth > 0;
}

/** Reads a line such as `A --> B & C -- words --> D`. */
function readChain(chart: Chart, line: string): boolean {
  const parts: ((defined: Set<string>) => string)[] = [];
  let at = 0;
  let before = 0;
  for (;;) {
    const boxes = readBoxes(chart, line, at);
    if (!boxes) return false;
    parts.push((defined) => boxes.names.map((name) => printBox(chart, name, defined)).join(' & '));
    chart.links += before * boxes.names.length;
    before = boxes.names.length;
    at = boxes.end;
    if (line.slice(at).trim() === '') break;
    const link = readLink(line, at);
    if (!link) return false;
    parts.push(() => link.text);
    at = link.end;
  }
  chart.statements.push((defined) => parts.map((print) => print(defined)).join(' '));
  return true;
}

function readBoxes(chart: Chart, line: string, start: number): { names: string[]; end: number } | null {
  const names: string[] = [];
  for (let at = start; ;) {
    const name = match(NAME, line, at)?.[0];
    if (name === undefined || names.length >= DIAGRAM_LIMITS.boxes) return null;
    at += name.length;
    const known = chart.boxes.get(name) ?? {
      id: `n${chart.boxes.size + 1}`,
      open: '[',
      close: ']',
      label: name,
    };
    const box = readShape(line, at);
    if (box === null) return null;
    chart.boxes.set(name, { ...known, ...box?.shape });
    at = box?.end ?? at;
    at += match(CLASS, line, at)?.[0].length ?? 0;
    names.push(name);
    const and = match(AND, line, at);
    if (!and) return { names, end: at };
    at += and[0].length;
  }
}

/** Returns the box around a label; undefined if none begins at `at`, null if it is not closed. */
function readShape(line: string, at: number) {
  const candidates = BOXES.filter(([open]) => line.startsWith(open, at));
  if (candidates.length === 0) return undefined;
  for (const [open, close] of candidates) {
    const from = at + open.length;
    const quoted = line[from] === '"' ? line.indexOf('"', from + 1) + 1 : from;
    const to = quoted === 0 ? -1 : line.indexOf(close, quoted);
    const label = line.slice(from, to);
    // The library does not support parallelograms.
    if (open === '[' && /^[/\\]/.test(label)) return null;
    if (to < 0 || label.trim() === '' || (quoted > from && to !== quoted)) continue;
    return { shape: { open, close, label }, end: to + close.length };
  }
  return null;
}

function readLink(line: string, at: number): { text: string; end: number } | null {
  const plain = match(LINK, line, at);
  const worded = plain ? null : match(WORDED_LINK, line, at);
  const [whole = '', back = ''] = plain ?? worded ?? [];
  const sign = plain?.[2] ?? (worded ? `${worded[2]}${worded[4]}` : '');
  if (whole === '') return null;
  const label = plain?.[3] ?? worded?.[3] ?? '';
  const stroke = sign.startsWith('=')
    ? ['===', '==>']
    : sign.startsWith('-.')
      ? ['-.-', '-.->']
      : ['---', '-->'];
  const text = `${back}${stroke[sign.endsWith('>') ? 1 : 0]}`;
  return { text: label.trim() === '' ? text : `${text}|${labelOf(label)}|`, end: at + whole.length };
}

/**
 * Writes a box with its label at its first mention, and just its id afterwards. A later line may have defined
 * the label.
 */
function printBox({ boxes }: Chart, name: string, defined: Set<string>): string {
  const box = boxes.get(name);
  if (!box || defined.has(name)) return box?.id ?? '';
  defined.add(name);
  return `${box.id}${box.open}${labelOf(box.label)}${box.close}`;
}

const labelOf = (label: string) =>
  hideSigns(
    label
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replace(/^`(.*)`$/s, '$1'),
  );

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
