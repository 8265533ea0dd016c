import type { RootContent } from 'hast';
import type { Definition, FootnoteDefinition } from 'mdast';
import { startLines } from './block-lines.ts';
import { definitionsOf } from './change-parts.ts';
import { decorate, directBlocks } from '../decorate.ts';
import { isElement } from '../elements.ts';
import { countHeadings, treeBytes, utf8Length } from '../limits.ts';
import { hasHtml, notesElement, partElements, rootOf } from './part-elements.ts';
import { parseAgain, referencesIn, type Part } from './parts.ts';
import { toHtml } from '../pipeline.ts';
import { markLines } from '../syntax/ragged-lines.ts';
import { some, walk } from '../walk.ts';

export interface Piece {
  html: string;
  bytes: number;
  lines: (number | null)[];
}

export interface Drawn {
  /** Fingerprint of the inputs other than the part's source. */
  readonly key: string;
  readonly elements: RootContent[] | null;
  /** Line at which the part begins, in the numbering of its nodes' positions. */
  readonly line: number;
  readonly bytes: number;
  readonly headings: number;
  /**
   * Final HTML, if nothing around the part changes it: the whole tree then needs no elements of this part.
   */
  readonly plain: Piece | null;
}

type Drawings = WeakMap<Part, Drawn>;
type Definitions = ReturnType<typeof readDefinitions>;

/**
 * Renders the new parts of an article, and those whose references changed.
 * @param known rendered parts so far; new ones are added
 * @returns the footnotes section, if there is one
 */
export function drawParts(parts: readonly Part[], known: Drawings): RootContent | undefined {
  const definitions = readDefinitions(parts);
  const before = new Map<string, number>();
  let isFirst = true;
  for (const part of parts) {
    const addresses = [...part.links].flatMap((name) => definitions.addresses.get(fold(name)) ?? []);
    const notesBefore = part.notes.length === 0 ? [] : marksBefore(part, before);
    const hasNotes = part.notes.length > 0;
    const hasRaw = part.feelsRaw && definitions.hasRaw;
    const key =
      hasNotes || part.links.size > 0
        ? keyOf(addresses, notesBefore, definitions, isFirst)
        : String([isFirst && part.hasRaw, hasRaw]);
    if (known.get(part)?.key !== key) {
      const others = () => definitionsOf(parts.filter((other) => other !== part));
      const { nodes, text, line } = part.parsed ?? parseAgain(part, others());
      part.parsed = null;
      const notes = hasNotes ? [...definitions.notes.keys()] : [];
      const context = { addresses, notesBefore, notes, hasRaw, isFirst };
      known.set(part, drawnOf(key, line, partElements(nodes, text, context, part.isOpen)));
    }
    isFirst &&= known.get(part)?.elements === null;
    for (const name of part.notes) before.set(name, (before.get(name) ?? 0) + 1);
  }
  if (before.size === 0) return undefined;
  return drawNotes(
    parts.flatMap(({ notes }) => notes),
    definitions,
  );
}

/** Normalises an identifier as micromark does; the first definition of a name counts. */
const fold = (identifier: string) => identifier.toUpperCase();

function readDefinitions(parts: readonly Part[]) {
  const addresses = new Map<string, Definition>();
  const notes = new Map<string, FootnoteDefinition>();
  for (const each of definitionsOf(parts)) {
    const name = fold(each.identifier);
    if (each.type === 'definition' && !addresses.has(name)) addresses.set(name, each);
    if (each.type === 'footnoteDefinition' && !notes.has(name)) notes.set(name, each);
  }
  return { addresses, notes, hasRaw: parts.some((part) => part.hasRaw) || areRaw(parts, notes) };
}

function areRaw(parts: readonly Part[], notes: ReadonlyMap<string, FootnoteDefinition>): boolean {
  const shown = new Set(parts.flatMap((part) => part.notes.map(fold)));
  // The set grows during iteration: footnotes may refer to footnotes.
  for (const name of shown) {
    const { children = [] } = notes.get(name) ?? {};
    if (hasHtml(children)) return true;
    for (const other of referencesIn(children).notes) shown.add(fold(other));
  }
  return false;
}

/**
 * Returns every footnote referred to before `part`, in order. Footnotes that `part` also refers to are
 * repeated once per earlier reference.
 */
function marksBefore(part: Part, before: ReadonlyMap<string, number>): string[] {
  const again = [...new Set(part.notes)].flatMap((name) =>
    Array.from({ length: Math.max(0, (before.get(name) ?? 0) - 1) }, () => name),
  );
  return [...before.keys(), ...again];
}

const keyOf = (
  addresses: Definition[],
  notesBefore: string[],
  { notes, hasRaw }: Definitions,
  isFirst: boolean,
): string =>
  JSON.stringify([
    addresses.map(({ identifier, url, title }) => [identifier, url, title]),
    notesBefore,
    notes.size,
    hasRaw,
    isFirst,
  ]);

function drawNotes(marks: string[], { addresses, notes, hasRaw }: Definitions): RootContent | undefined {
  const bodies = [...notes.values()];
  const { links } = referencesIn(bodies.flatMap(({ children }) => children));
  const used = [...links].flatMap((name) => addresses.get(fold(name)) ?? []);
  return notesElement(marks, [...used, ...bodies], hasRaw);
}

function drawnOf(key: string, line: number, elements: RootContent[] | null): Drawn {
  const tree = rootOf(elements ?? []);
  const [bytes, headings] = [treeBytes(tree), countHeadings(tree)];
  const isPlain = elements !== null && !dependsOnRest(tree.children);
  return { key, elements, line, bytes, headings, plain: isPlain ? pieceOf(elements) : null };
}

function pieceOf(elements: RootContent[]): Piece {
  const tree = rootOf(structuredClone(elements));
  decorate(tree);
  directBlocks(tree);
  markLines(tree);
  const html = toHtml(tree);
  return { html, bytes: utf8Length(html), lines: startLines(tree.children) };
}

/**
 * Whether the final HTML depends on other parts: headings, ids, internal links, code, formulas and pictures
 * do.
 */
const dependsOnRest = (nodes: RootContent[]): boolean =>
  some<RootContent>(rootOf(nodes), (node) => {
    if (!isElement(node)) return false;
    const { id, name, href, className } = node.properties;
    if (/^(?:h[1-6]|img|pre)$/.test(node.tagName) || id !== undefined || name !== undefined) return true;
    if (node.tagName === 'code' && className !== undefined) return true;
    return typeof href === 'string' && href.startsWith('#');
  });

/**
 * Returns a placeholder for a part whose elements the whole tree does not need. It has as much text as the
 * part because pictures.ts counts the text above a picture.
 */
export function standInOf({ elements }: Drawn): RootContent {
  let length = 0;
  walk<RootContent>(rootOf(elements ?? []), (node) => {
    if (node.type === 'text') length += node.value.trim().length;
  });
  return { type: 'text', value: 'x'.repeat(length) };
}
