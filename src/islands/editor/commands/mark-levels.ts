import { invertedEffects } from '@codemirror/commands';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import {
  ChangeSet,
  EditorSelection,
  EditorState,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type ChangeSpec,
  type Extension,
  type SelectionRange,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Inline marks, and their node names in the syntax tree. */
const NODES = { '**': 'StrongEmphasis', '*': 'Emphasis', '~~': 'Strikethrough', '`': 'InlineCode' } as const;
export type Mark = keyof typeof NODES;
const MARKS = Object.keys(NODES) as Mark[];

/** Mark around the caret. `from` and `to` delimit the marked text, which may be empty. */
export interface Level {
  mark: Mark;
  from: number;
  to: number;
}
export type Levels = readonly Level[];

const setLevels = StateEffect.define<Levels>({
  map: (levels, changes) => levels.map((level) => mapped(level, changes)),
});

/**
 * Marks inserted at the caret, tracked until the caret leaves them. The syntax tree does not recognize all of
 * them: with nothing between them, or a space before the closing one, they are plain text.
 */
export const levelsField = StateField.define<Levels>({
  create: () => [],
  update(levels, transaction) {
    const set = transaction.effects.findLast((effect) => effect.is(setLevels));
    const { changes, newDoc, newSelection } = transaction;
    const isWhole = (level: Level) => holds(level, newSelection.main) && isAround(newDoc, level);
    if (set) return set.value.filter(isWhole);
    if (levels.length === 0 || (changes.empty && newSelection.eq(transaction.startState.selection)))
      return levels;
    return levels.map((level) => mapped(level, changes)).filter(isWhole);
  },
});

/**
 * Maps a level through `changes`. Clamps its positions, because the history maps the levels of a step through
 * later text, which may be shorter.
 */
export const mapped = ({ mark, from, to }: Level, changes: ChangeDesc): Level => ({
  mark,
  from: changes.mapPos(Math.min(from, changes.length), -1),
  to: changes.mapPos(Math.min(to, changes.length), 1),
});

const holds = ({ from, to }: Level, range: SelectionRange) => range.from >= from && range.to <= to;

const isAround = (doc: Text, { mark, from, to }: Level): boolean =>
  doc.sliceString(from - mark.length, from) === mark && doc.sliceString(to, to + mark.length) === mark;

/**
 * Returns the changes for a mark that the caret leaves: removes marks around nothing, and moves white space
 * at the ends out of the mark, where Markdown would not recognize it.
 */
function tidy(doc: Text, { mark, from, to }: Level): ChangeSpec[] {
  const text = doc.sliceString(from, to);
  if (text.trim() === '') return [pairBefore(from, mark), { from: to, to: to + mark.length }];
  if (mark === '`') return [];
  const [lead, trail] = [text.slice(0, text.search(/\S/)), text.slice(text.trimEnd().length)];
  return [
    { from: from - mark.length, insert: lead },
    { from, to: from + lead.length },
    { from: to - trail.length, to },
    { from: to + mark.length, insert: trail },
  ];
}

export const pairBefore = (from: number, mark: Mark) => ({ from: from - mark.length, to: from });

/** Tidies marks after each transaction that moves the caret out of them. */
const tidyOnLeaving = EditorState.transactionFilter.of((transaction) => {
  const levels = transaction.startState.field(levelsField);
  const isOurs = transaction.effects.some((effect) => effect.is(setLevels));
  if (levels.length === 0 || isOurs || transaction.isUserEvent('undo') || transaction.isUserEvent('redo'))
    return transaction;
  const left = levels
    .map((level) => mapped(level, transaction.changes))
    .filter((level) => !holds(level, transaction.newSelection.main) && isAround(transaction.newDoc, level));
  const specs = tidyAll(transaction.newDoc, left);
  // A separate clean-up is not a step of the author and cannot be undone.
  const annotations = transaction.docChanged ? [] : [Transaction.addToHistory.of(false)];
  return [transaction, ...specs.map((changes) => ({ changes, sequential: true, annotations }))];
});

/**
 * Returns the changes that tidy `levels`, innermost first. Each applies to the result of the previous one.
 */
export function tidyAll(doc: Text, levels: Levels): ChangeSet[] {
  const all: ChangeSet[] = [];
  let [text, rest] = [doc, [...levels]];
  for (let level = rest.pop(); level; level = rest.pop()) {
    const changes = ChangeSet.of(tidy(text, level), text.length);
    if (changes.empty) continue;
    all.push(changes);
    text = changes.apply(text);
    rest = rest.map((one) => mapped(one, changes));
  }
  return all;
}

/** Returns the tracked marks. If no marks are tracked, returns the marks around `at` in the syntax tree. */
export function levelsAt(state: EditorState, at: number): Levels {
  const open = state.field(levelsField, false) ?? [];
  return open.length > 0 ? open : levelsIn(state, at);
}

export function levelsIn(state: EditorState, at: number): Levels {
  return MARKS.flatMap((mark) => nodesBeside(state, at, mark))
    .filter((level) => level.from <= at && at <= level.to)
    .sort((one, other) => one.from - other.from);
}

/**
 * Returns the ranges with `mark` that contain a position, or are separated from it only by mark characters.
 */
export function nodesBeside(state: EditorState, at: number, mark: Mark): Level[] {
  const line = state.doc.lineAt(at);
  const before = /[*~`]*$/.exec(line.text.slice(0, at - line.from))?.[0].length ?? 0;
  const after = /^[*~`]*/.exec(line.text.slice(at - line.from))?.[0].length ?? 0;
  const tree = ensureSyntaxTree(state, line.to, 200) ?? syntaxTree(state);
  const found = new Map<number, Level>();
  for (const [position, side] of [
    [at - before, -1],
    [at, -1],
    [at, 1],
    [at + after, 1],
  ] as const) {
    for (let node = tree.resolveInner(position, side).node; ;) {
      // Code delimited by two or more backticks may contain single ones.
      const isOne = node.firstChild !== null && node.firstChild.to - node.from === mark.length;
      if (node.name === NODES[mark] && isOne)
        found.set(node.from, { mark, from: node.from + mark.length, to: node.to - mark.length });
      if (!node.parent) break;
      node = node.parent;
    }
  }
  return [...found.values()];
}

/** Transaction that changes the text and puts the caret inside `levels`, as one step of the history. */
export const step = (changes: ChangeSpec, caret: number, levels: Levels): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(caret),
  effects: setLevels.of(levels),
  scrollIntoView: true,
  userEvent: 'input.format',
});

/** Keeps marks valid while typing: none remains around nothing, or with white space at its ends. */
export const wholeMarks: Extension = [
  levelsField,
  // Undo restores the marks that were around the caret.
  invertedEffects.of(({ startState, effects, docChanged }) => {
    const levels = startState.field(levelsField);
    if (!docChanged) return [];
    return levels.length > 0 || effects.some((effect) => effect.is(setLevels)) ? [setLevels.of(levels)] : [];
  }),
  tidyOnLeaving,
  EditorView.domEventHandlers({
    blur(_event, view) {
      const levels = view.state.field(levelsField);
      if (levels.length === 0 || view.composing) return;
      const specs = tidyAll(view.state.doc, levels);
      const annotations = [Transaction.addToHistory.of(false)];
      view.dispatch(
        { effects: setLevels.of([]) },
        ...specs.map((changes) => ({ changes, sequential: true, annotations })),
      );
    },
  }),
];
