import type { RootContent } from 'hast';
import type { Definition, FootnoteDefinition } from 'mdast';
import { startLines } from './block-lines.ts';
import { definitionsOf } from './change-parts.ts';
import { decorate, directBlocks } from './decorate.ts';
import { isElement } from './elements.ts';
import { countHeadings, treeBytes, utf8Length } from './limits.ts';
import { hasHtml, notesElement, partElements, rootOf } from './part-elements.ts';
import { parseAgain, referencesIn, type Part } from './parts.ts';
import { toHtml } from './pipeline.ts';
import { walk } from './walk.ts';

/** HTML of a part, with the line at which each element at its top begins, counted as in `Drawn.line`. */
export interface Piece {
  html: string;
  bytes: number;
  lines: (number | null)[];
}

/** A part's elements, and what is known of them whatever stands around it. */
export interface Drawn {
  /** What they were drawn from besides the part's source. */
  readonly key: string;
  /** Null where there is nothing to see. */
  readonly elements: RootContent[] | null;
  /** The line of their positions at which the part begins. */
  readonly line: number;
  readonly bytes: number;
  readonly headings: number;
  /** Set where nothing around it changes its HTML: it needs no elements in the whole tree. */
  readonly plain: Piece | null;
}

type Drawings = WeakMap<Part, Drawn>;
type Definitions = ReturnType<typeof readDefinitions>;

/**
 * Draws the parts of an article that are new or that what they refer to has changed for.
 * @param known drawings so far; those made are added
 * @returns the section of the notes, if there are any
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

/** As `#` finds them: the first of a name counts. */
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

/** Whether a note that is shown has raw HTML in it. */
function areRaw(parts: readonly Part[], notes: ReadonlyMap<string, FootnoteDefinition>): boolean {
  const shown = new Set(parts.flatMap((part) => part.notes.map(fold)));
  // The set grows while it is walked: notes refer to notes.
  for (const name of shown) {
    const { children = [] } = notes.get(name) ?? {};
    if (hasHtml(children)) return true;
    for (const other of referencesIn(children).notes) shown.add(fold(other));
  }
  return false;
}

/** Every note that has been referred to, in their order, and those of `part` as often as before it. */
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

/** The final HTML of elements that nothing around changes; they are decorated. */
function pieceOf(elements: RootContent[]): Piece {
  const tree = rootOf(structuredClone(elements));
  decorate(tree);
  directBlocks(tree);
  const html = toHtml(tree);
  return { html, bytes: utf8Length(html), lines: startLines(tree.children) };
}

/** Whether the final HTML depends on the rest: numbers, ids, links within, colours, formulas, pictures do. */
function dependsOnRest(nodes: RootContent[]): boolean {
  let depends = false;
  walk<RootContent>(rootOf(nodes), (node) => {
    if (!isElement(node)) return;
    const { id, name, href, className } = node.properties;
    depends ||= /^(?:h[1-6]|img|pre)$/.test(node.tagName) || id !== undefined || name !== undefined;
    depends ||= node.tagName === 'code' && className !== undefined;
    depends ||= typeof href === 'string' && href.startsWith('#');
  });
  return depends;
}

/** In the tree of the whole for a part that needs no elements there: as much text, for pictures below it. */
export function standInOf({ elements }: Drawn): RootContent {
  let length = 0;
  walk<RootContent>(rootOf(elements ?? []), (node) => {
    if (node.type === 'text') length += node.value.trim().length;
  });
  return { type: 'text', value: 'x'.repeat(length) };
}
