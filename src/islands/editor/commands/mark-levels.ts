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

/** Marks around a piece of a line, and the nodes they make in the syntax tree. */
const NODES = { '**': 'StrongEmphasis', '*': 'Emphasis', '~~': 'Strikethrough', '`': 'InlineCode' } as const;
export type Mark = keyof typeof NODES;
const MARKS = Object.keys(NODES) as Mark[];

/** A mark around the caret: where what it marks begins and ends. It may still be nothing. */
export interface Level {
  mark: Mark;
  from: number;
  to: number;
}
/** Marks around the caret, the outermost first. */
export type Levels = readonly Level[];

const setLevels = StateEffect.define<Levels>({
  map: (levels, changes) => levels.map((level) => mapped(level, changes)),
});

/**
 * The marks that were put around the caret, until it leaves them. The syntax tree does not know them all:
 * nothing between two marks, or a space before the second, makes them plain signs.
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

/** A level after `changes`. The history maps those of a step over the text after it, which may be shorter. */
export const mapped = ({ mark, from, to }: Level, changes: ChangeDesc): Level => ({
  mark,
  from: changes.mapPos(Math.min(from, changes.length), -1),
  to: changes.mapPos(Math.min(to, changes.length), 1),
});

const holds = ({ from, to }: Level, range: SelectionRange) => range.from >= from && range.to <= to;

const isAround = (doc: Text, { mark, from, to }: Level): boolean =>
  doc.sliceString(from - mark.length, from) === mark && doc.sliceString(to, to + mark.length) === mark;

/**
 * What has to change for the marks that a caret leaves: those around nothing go, and white space at the ends
 * moves out, where markdown would not mark it.
 */
function tidy(doc: Text, { mark, from, to }: Level): ChangeSpec[] {
  const text = doc.sliceString(from, to);
  if (text.trim() === '') return [pairBefore(from, mark), { from: to, to: to + mark.length }];
  if (mark === '`') return [];
  const [lead, trail] = [text.length - text.trimStart().length, text.length - text.trimEnd().length];
  return [
    ...(lead > 0
      ? [
          { from: from - mark.length, insert: text.slice(0, lead) },
          { from, to: from + lead },
        ]
      : []),
    ...(trail > 0
      ? [
          { from: to - trail, to },
          { from: to + mark.length, insert: text.slice(-trail) },
        ]
      : []),
  ];
}

/** The opening mark of a level that begins at `from`. */
export const pairBefore = (from: number, mark: Mark) => ({ from: from - mark.length, to: from });

/** Follows each transaction that moves the caret out of marks. */
const tidyOnLeaving = EditorState.transactionFilter.of((transaction) => {
  const levels = transaction.startState.field(levelsField);
  const isOurs = transaction.effects.some((effect) => effect.is(setLevels));
  if (levels.length === 0 || isOurs || transaction.isUserEvent('undo') || transaction.isUserEvent('redo'))
    return transaction;
  const left = levels
    .map((level) => mapped(level, transaction.changes))
    .filter((level) => !holds(level, transaction.newSelection.main) && isAround(transaction.newDoc, level));
  const specs = tidyAll(transaction.newDoc, left);
  // Alone it is no step of the writer's, and cannot be undone.
  const annotations = transaction.docChanged ? [] : [Transaction.addToHistory.of(false)];
  return [transaction, ...specs.map((changes) => ({ changes, sequential: true, annotations }))];
});

/** The changes that tidy `levels`, the innermost first, each to the text that the one before leaves. */
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

/** The marks around a position: those that are being written, or what the text has. */
export function levelsAt(state: EditorState, at: number): Levels {
  const open = state.field(levelsField, false) ?? [];
  return open.length > 0 ? open : levelsIn(state, at);
}

/** The marks that the text has around a position. */
export function levelsIn(state: EditorState, at: number): Levels {
  return MARKS.flatMap((mark) => nodesBeside(state, at, mark))
    .filter((level) => level.from <= at && at <= level.to)
    .sort((one, other) => one.from - other.from);
}

/** Pieces with `mark` that hold a position, or have nothing but signs between it and their ends. */
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
      // Code between two backticks and more has its marks for what is in it.
      const isOne = node.firstChild !== null && node.firstChild.to - node.from === mark.length;
      if (node.name === NODES[mark] && isOne)
        found.set(node.from, { mark, from: node.from + mark.length, to: node.to - mark.length });
      if (!node.parent) break;
      node = node.parent;
    }
  }
  return [...found.values()];
}

/** A change to the text after which the caret stands between `levels`; one step of the history. */
export const step = (changes: ChangeSpec, caret: number, levels: Levels): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(caret),
  effects: setLevels.of(levels),
  scrollIntoView: true,
  userEvent: 'input.format',
});

/** Keeps marks whole while they are written: none is left around nothing, or around a space. */
export const wholeMarks: Extension = [
  levelsField,
  // What is undone brings back the marks that were around the caret then.
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
