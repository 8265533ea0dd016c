import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import { askAbout } from '../pictures/picture-at-caret.ts';
import { isPictures } from '../pictures/picture-source.ts';

export type MoveWay = 'up' | 'down';

/** Top-level block of the text, such as a paragraph, a list or a code block. */
interface Block {
  from: number;
  to: number;
  isPictures: boolean;
}

const PARSE_TIMEOUT_MS = 50;

/**
 * Reason why pictures are not moved: 'inline' if their paragraph has text or is in a list or quote, else they
 * are first or last.
 */
export type NotMoved = 'inline' | 'first' | 'last';

/**
 * Moves the pictures between `from` and `to` over the adjacent block, or returns why not. Pictures must be in
 * separate paragraphs and stay in them.
 */
export function movePictures(
  state: EditorState,
  { from, to }: { from: number; to: number },
  way: MoveWay,
): TransactionSpec | NotMoved {
  const place = placeAmong(blocksOf(state), { from, to });
  if (!place) return 'inline';
  const beside = place.blocks[way === 'up' ? place.first - 1 : place.last + 1];
  return beside ? moveBeside(state, place, { from, beside, way }) : way === 'up' ? 'first' : 'last';
}

/**
 * Moves the pictures between `from` and `to`, which must be in separate paragraphs, to the nearer end of the
 * block at `at`. Returns 'inline' if they cannot be moved, null if they are already there.
 */
export function movePicturesTo(
  state: EditorState,
  { from, to }: { from: number; to: number },
  at: number,
): TransactionSpec | 'inline' | null {
  const place = placeAmong(blocksOf(state), { from, to });
  if (!place) return 'inline';
  const { blocks, first, last } = place;
  const found = blocks.findIndex((block) => block.to >= at);
  const index = found < 0 ? blocks.length - 1 : found;
  const target = blocks[index];
  if (!target) return null;
  const isAfter = at - target.from > target.to - at;
  // Index of the block that follows the pictures after the move.
  const next = index + (isAfter ? 1 : 0);
  if (next >= first && next <= last + 1) return null;
  const way = next < first ? 'up' : 'down';
  const beside = blocks[way === 'up' ? next : next - 1];
  return beside ? moveBeside(state, place, { from, beside, way }) : null;
}

interface Place {
  blocks: readonly Block[];
  first: number;
  last: number;
}

function placeAmong(blocks: readonly Block[], { from, to }: { from: number; to: number }): Place | null {
  const first = blocks.findIndex((block) => block.to >= from);
  const last = blocks.findLastIndex((block) => block.from <= to);
  if (first < 0 || last < first) return null;
  return blocks.slice(first, last + 1).every((block) => block.isPictures) ? { blocks, first, last } : null;
}

/**
 * Moves blocks above or below another block. `from` is the position of the picture whose controls are shown.
 */
function moveBeside(
  state: EditorState,
  { blocks, first, last }: Place,
  { from, beside, way }: { from: number; beside: Block; way: MoveWay },
): TransactionSpec {
  const [start, end] = [blocks[first]?.from ?? 0, blocks[last]?.to ?? 0];
  const text = state.sliceDoc(start, end);
  const removal = removalOf(state, start, end, way);
  const placed = placeOf(state, beside, way);
  const insert = placed.before + text + placed.after;
  const removedBefore = placed.at > removal.from ? removal.to - removal.from : 0;
  const shift = placed.at - removedBefore + placed.before.length - start;
  const { anchor, head: caret } = state.selection.main;
  const isInside = [anchor, caret].every((each) => each >= start && each <= end);
  return {
    changes: [removal, { from: placed.at, insert }],
    ...(isInside ? { selection: EditorSelection.range(anchor + shift, caret + shift) } : {}),
    effects: askAbout(from + shift),
    scrollIntoView: true,
    userEvent: 'move.picture',
  };
}

/** Moves the selected pictures. Leaves other lines to the next command. */
export const moveSelectedPictures =
  (way: MoveWay): Command =>
  ({ state, dispatch }) => {
    if (state.selection.ranges.length > 1) return false;
    const moved = movePictures(state, state.selection.main, way);
    if (moved === 'inline') return false;
    if (typeof moved !== 'string') dispatch(state.update(moved));
    return true;
  };

function blocksOf(state: EditorState): Block[] {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_TIMEOUT_MS) ?? syntaxTree(state);
  const blocks: Block[] = [];
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    const { name, to } = node;
    // Blocks start at the beginning of the line, because they may be indented.
    const { from } = state.doc.lineAt(node.from);
    const lines = state.sliceDoc(from, to).split('\n');
    blocks.push({ from, to, isPictures: name === 'Paragraph' && lines.every(isPictures) });
  }
  return blocks;
}

const isBlank = ({ doc }: EditorState, number: number) =>
  number < 1 || number > doc.lines || doc.line(number).text.trim() === '';

/**
 * Returns the range to remove for moved pictures. It includes surrounding line breaks, leaving one empty line
 * between the neighbours.
 */
function removalOf(state: EditorState, from: number, to: number, way: MoveWay): { from: number; to: number } {
  const { doc } = state;
  const [above, below] = [doc.lineAt(from).number - 1, doc.lineAt(to).number + 1];
  const lineEnd = doc.lineAt(to).to;
  if (!isBlank(state, above))
    return { from: isBlank(state, below) ? Math.max(from - 1, 0) : from, to: lineEnd };
  if (!isBlank(state, below)) return { from, to: lineEnd + 1 };
  if (way === 'up') return { from: Math.max(doc.line(above).from - 1, 0), to: lineEnd };
  return { from, to: Math.min(doc.line(below).to + 1, doc.length) };
}

function placeOf(state: EditorState, block: Block, way: MoveWay) {
  const { doc } = state;
  if (way === 'up') {
    const isJoined = !isBlank(state, doc.lineAt(block.from).number - 1);
    return { at: block.from, before: isJoined ? '\n' : '', after: '\n\n' };
  }
  const line = doc.lineAt(block.to);
  return { at: line.to, before: '\n\n', after: isBlank(state, line.number + 1) ? '' : '\n' };
}
