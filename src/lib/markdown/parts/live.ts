import type { Root, RootContent } from 'hast';
import { linesBefore, startLines } from './block-lines.ts';
import { changeParts } from './change-parts.ts';
import { drawParts, standInOf, type Drawn, type Piece } from './draw-parts.ts';
import { splitAtFold } from '../excerpt.ts';
import { rehypeHeadingIds } from '../syntax/heading-ids.ts';
import {
  asTooComplex,
  refuseDeepLines,
  refuseLargePage,
  refuseLargeTree,
  refuseManyHeadings,
  utf8Length,
} from '../limits.ts';
import { rootOf } from './part-elements.ts';
import type { Part } from './parts.ts';
import { toHtml } from '../pipeline.ts';
import { finishTree, renderPreview, type KnownParts } from '../render.ts';

export { isTooComplex, sentenceOf } from '../limits.ts';
export { prepareMarkdown } from '../render.ts';

/**
 * Preview in the editor. `pieces` joined with line ends are the HTML of `renderMarkdown`; `lines` are the
 * source lines of the top-level elements (`blockLines`).
 */
export interface LivePreview {
  pieces: readonly string[];
  lines: readonly (number | null)[];
}

/**
 * Creates a renderer for one article while it is being written. Only changed parts are parsed; heading and
 * footnote numbers, slugs, internal links and the first picture depend on the whole and are recomputed.
 * @returns a function that renders a source; calls must not overlap; it throws as `renderMarkdown` does
 */
export function createLiveRenderer(): (source: string) => Promise<LivePreview> {
  const known = new WeakMap<Part, Drawn>();
  let text = '';
  let parts: readonly Part[] = [];
  let former: KnownParts = {};

  async function render(source: string): Promise<LivePreview> {
    const { withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    parts = changeParts(parts, text, withoutFold);
    text = withoutFold;
    // Footnotes follow everything else, so they would be inside raw HTML that is still open.
    if (parts.at(-1)?.isOpen && parts.some(({ notes }) => notes.length > 0)) return inOnePiece(source);
    const notes = drawParts(parts, known);
    const drawn = parts.map((part) => known.get(part));
    refuseManyHeadings(sumOf(drawn, (each) => each.headings));
    refuseLargeTree(sumOf(drawn, (each) => each.bytes));
    const { tree, ranges } = assemble(drawn, notes);
    rehypeHeadingIds()(tree);
    const { toc, known: reusable } = await finishTree(tree, withoutFold, undefined, former);
    former = reusable;
    const finished = drawn.map((each, index) => each?.plain ?? finish(tree, ranges[index]));
    if (notes) finished.push(finish(tree, [tree.children.length - 1, 1]));
    refuseLargePage(sumOf(finished, ({ bytes }) => bytes + 1) - 1, toc);
    return {
      pieces: finished.flatMap((piece) => piece?.html ?? []),
      lines: allLines(finished, linesBefore(source, withoutFold)),
    };
  }

  function allLines(finished: readonly (Piece | null)[], lineIn: (line: number) => number) {
    let before = 0;
    return finished.flatMap((piece, index) => {
      const part = parts[index];
      const own = before - ((part && known.get(part)?.line) ?? 0) + 1;
      before += part?.lines ?? 0;
      return (piece?.lines ?? []).map((line) => line && lineIn(line + own));
    });
  }

  return async (source) => {
    try {
      return await render(source);
    } catch (error) {
      parts = [];
      throw asTooComplex(error);
    }
  };
}

async function inOnePiece(source: string): Promise<LivePreview> {
  const { html, lines } = await renderPreview(source);
  return { pieces: [html], lines };
}

const sumOf = <T>(items: readonly (T | null | undefined)[], count: (item: T) => number): number =>
  items.reduce((sum, item) => sum + (item ? count(item) : 0), 0);

/**
 * Assembles the whole article as one tree, with the range of nodes of each part. Plain parts leave a
 * placeholder.
 */
function assemble(drawn: readonly (Drawn | undefined)[], notes: RootContent | undefined) {
  const children: RootContent[] = [];
  const ranges = drawn.map((each): [from: number, count: number] | undefined => {
    if (!each?.elements) return undefined;
    if (children.length > 0) children.push({ type: 'text', value: '\n' });
    const from = children.length;
    if (each.plain) children.push(standInOf(each));
    else children.push(...structuredClone(each.elements));
    return [from, children.length - from];
  });
  if (notes) children.push({ type: 'text', value: '\n' }, notes);
  return { tree: rootOf(children), ranges };
}

function finish(tree: Root, range: [from: number, count: number] | undefined): Piece | null {
  if (!range) return null;
  const [from, count] = range;
  const children = tree.children.slice(from, from + count);
  const html = toHtml(rootOf(children));
  return { html, bytes: utf8Length(html), lines: startLines(children) };
}
