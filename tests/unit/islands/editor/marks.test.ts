import { history, insertNewlineAndIndent, isolateHistory, undo } from '@codemirror/commands';
import { EditorState, type Transaction } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { toggleMark } from '../../../../src/islands/editor/commands/inline.ts';
import { wholeMarks, type Mark } from '../../../../src/islands/editor/commands/mark-levels.ts';
import { endMarks } from '../../../../src/islands/editor/commands/marks.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';
import { articleLanguage } from '../../../../src/islands/editor/writing/markdown-language.ts';

const MARKS: readonly Mark[] = ['**', '*', '~~', '`'];
const TAGS: Record<string, Mark> = { strong: '**', em: '*', del: '~~', code: '`' };

/** A text field without a browser. */
class Text {
  state = EditorState.create({
    extensions: [articleLanguage, history(), wholeMarks],
  });
  readonly dispatch = (transaction: Transaction) => void (this.state = transaction.state);

  type(text: string): void {
    const { head } = this.state.selection.main;
    const changes = { from: head, insert: text };
    const annotations = isolateHistory.of('full');
    const selection = { anchor: head + text.length };
    this.dispatch(this.state.update({ changes, selection, annotations, userEvent: 'input.type' }));
  }
  toggle(mark: Mark): void {
    this.dispatch(this.state.update(toggleMark(this.state, mark)));
  }
  breakLine(): void {
    const target = { state: this.state, dispatch: this.dispatch };
    endMarks(target as Parameters<typeof endMarks>[0]);
    insertNewlineAndIndent({ state: this.state, dispatch: this.dispatch });
  }
  erase(): void {
    const { head } = this.state.selection.main;
    const changes = { from: head - 1, to: head };
    this.dispatch(this.state.update({ changes, userEvent: 'delete.backward' }));
  }
  goTo(anchor: number): void {
    this.dispatch(this.state.update({ selection: { anchor }, userEvent: 'select' }));
  }
  undo(): void {
    undo({ state: this.state, dispatch: this.dispatch });
  }
  get doc(): string {
    return this.state.doc.toString();
  }
}

/** Visible characters, each with its marks. */
type Shown = [sign: string, marks: string][];
const marksOf = (marks: Iterable<Mark>) => [...new Set(marks)].sort().join(' ');

/** Visible characters of the rendered text. */
async function shown(content: string): Promise<Shown> {
  const { html } = await renderMarkdown(content);
  const open: Mark[] = [];
  const signs: Shown = [];
  for (const [, closing, tag, text] of html
    .matchAll(/<(\/?)([a-z]+)[^>]*>|([^<]+)/g)
    .map(([, slash, name, plain]) => [null, slash, name, plain] as const)) {
    if (text !== undefined) for (const sign of text.replace(/\s/g, '')) signs.push([sign, marksOf(open)]);
    else if (tag !== undefined && TAGS[tag]) {
      if (closing) open.pop();
      else open.push(TAGS[tag]);
    }
  }
  return signs;
}

interface Piece {
  mark: Mark;
  /** Number of characters before it. */
  start: number;
  /** Pieces that had just ended. */
  ended: Piece[];
}

/** Reference model: the intended result of the mark keys, without Markdown. */
class Wish {
  signs: { sign: string; marks: Mark[] }[] = [];
  active: Piece[] = [];
  /** Marks that end at the end of the text, outermost first. */
  ended: Piece[] = [];

  copy(): Wish {
    const copy = new Wish();
    copy.signs = this.signs.map(({ sign, marks }) => ({ sign, marks: [...marks] }));
    copy.active = [...this.active];
    copy.ended = [...this.ended];
    return copy;
  }
  isNothing(start: number): boolean {
    return this.signs.slice(start).every(({ sign }) => sign.trim() === '');
  }
  type(text: string): void {
    this.ended = [];
    for (const sign of text) this.signs.push({ sign, marks: this.active.map(({ mark }) => mark) });
  }
  toggle(mark: Mark): void {
    const index = this.active.findIndex((each) => each.mark === mark);
    const level = this.active[index];
    if (!level) return void (this.enter(mark) || this.begin(mark));
    if (this.isNothing(level.start)) {
      const inner = this.active.splice(index).slice(1);
      this.ended = level.ended;
      return inner.forEach((each) => this.toggle(each.mark));
    }
    const count = areTogether(this.active.slice(index)) ? 1 : this.active.length;
    const left = this.active.splice(index, count).filter((each) => !this.isNothing(each.start));
    this.ended.unshift(...left);
  }
  /** Continues a mark that has just ended. */
  enter(mark: Mark): boolean {
    const index = this.ended.findIndex((each) => each.mark === mark);
    const pieces = this.ended.slice(0, index + 1);
    if (index < 0 || (index > 0 && !pieces.every((each) => each.mark.startsWith('*')))) return false;
    if (areTogether(pieces)) this.active.push(...this.ended.splice(index, 1));
    else this.active.push(...this.ended.splice(0, index + 1));
    return true;
  }
  begin(mark: Mark): void {
    const index = this.active.findIndex((each) => each.mark === '`');
    const code = this.active[index];
    if (code && this.isNothing(code.start)) {
      for (const each of [code.mark, mark, code.mark]) this.toggle(each);
    } else if (!code) {
      this.active.push({ mark, start: this.signs.length, ended: this.ended });
      this.ended = [];
    } else {
      for (const { marks } of this.signs.slice(code.start)) marks.push(mark);
      // Around code, a mark cannot start where the same mark has just ended; that mark continues, including
      // code in it.
      const [last] = code.ended;
      const goesOn = last?.mark === mark;
      const before = goesOn ? code.ended.find((each) => each.mark === '`') : undefined;
      const start = goesOn ? last.start : code.start;
      const around = { mark, start, ended: goesOn ? [] : this.ended };
      this.active.splice(index, 1, around, { ...code, start: before?.start ?? code.start });
      this.ended = [];
    }
  }
  breakLine(): void {
    this.active = [];
    this.ended = [];
    this.signs.push({ sign: '\n', marks: [] });
  }
  get shown(): Shown {
    return this.signs
      .filter(({ sign }) => sign.trim() !== '')
      .map(({ sign, marks }) => [sign, marksOf(marks)]);
  }
}

/** Whether the pieces start at the same character; any of them can then end first. */
const areTogether = (pieces: Piece[]) =>
  pieces.every(({ mark, start }) => mark.startsWith('*') && start === pieces[0]?.start);

/** Generator of integers below `bound`, deterministic for a seed. */
function random(seed: number): (bound: number) => number {
  let state = seed * 2654435761 + 1;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % bound;
  };
}

describe('typed marks', () => {
  test('end where the author ends them, and are undone in one step', async () => {
    const text = new Text();
    text.type('前');
    text.toggle('**');
    expect(text.doc).toBe('前****');
    text.type('粗');
    text.toggle('**');
    text.type('后');
    expect(text.doc).toBe('前**粗**后');
    text.undo();
    text.undo();
    expect(text.doc).toBe('前****');
    text.undo();
    expect(text.doc).toBe('前');
  });

  test('that are empty are removed when the caret leaves or their text is deleted', () => {
    const text = new Text();
    text.type('前后');
    text.goTo(1);
    text.toggle('**');
    text.toggle('~~');
    text.goTo(0);
    expect(text.doc).toBe('前后');
    text.goTo(1);
    text.toggle('*');
    text.type('斜');
    text.erase();
    text.goTo(0);
    expect(text.doc).toBe('前后');
  });

  test('leave white space outside, and end with the line', () => {
    const text = new Text();
    text.toggle('**');
    text.type(' 粗 ');
    text.toggle('**');
    text.type('后');
    expect(text.doc).toBe(' **粗** 后');
    text.goTo(4);
    text.breakLine();
    expect(text.doc).toBe(' **粗**\n 后');
  });

  test('a line split inside a mark keeps it on both lines', () => {
    const text = new Text();
    text.toggle('**');
    text.type('粗体');
    text.goTo(3);
    text.breakLine();
    expect(text.doc).toBe('**粗**\n**体**');
  });
});

test('2,000 random sequences render with the intended marks', async () => {
  // CommonMark has no emphasis between a Latin letter and punctuation, so Latin words are surrounded by
  // spaces.
  const SIGNS = ['字', '文', '。', '，', '“', '”', '（', '》', ' ', '中文', ' Java ', ' 1 '];
  for (let seed = 1; seed <= 2000; seed++) {
    const below = random(seed);
    const text = new Text();
    let wish = new Wish();
    const past: { doc: string; head: number; wish: Wish }[] = [];
    const steps: string[] = [];
    for (let step = 0, steps_ = 4 + below(24); step < steps_; step++) {
      past.push({ doc: text.doc, head: text.state.selection.main.head, wish: wish.copy() });
      const kind = below(10);
      const isLineStart = wish.signs.length === 0 || wish.signs.at(-1)?.sign === '\n';
      if (kind < 5) {
        const sign = SIGNS[below(SIGNS.length)] ?? '';
        if (sign.startsWith(' ') && isLineStart) continue;
        steps.push(sign);
        text.type(sign);
        wish.type(sign);
      } else if (kind < 8) {
        const mark = MARKS[below(MARKS.length)] ?? '*';
        steps.push(`[${mark}]`);
        text.toggle(mark);
        wish.toggle(mark);
      } else if (kind === 8) {
        steps.push('⏎');
        text.breakLine();
        wish.breakLine();
      } else {
        steps.push('↶');
        text.undo();
        const { doc, state } = text;
        const before = past.findLast((each) => each.doc === doc && each.head === state.selection.main.head);
        if (!before) break;
        wish = before.wish.copy();
      }
    }
    const written = text.doc;
    text.goTo(text.state.doc.length);
    expect(await shown(text.doc), `${seed}: ${steps.join(' ')} → ${written}`).toEqual(wish.shown);
  }
});
