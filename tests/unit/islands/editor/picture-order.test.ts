import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import {
  movePictures,
  movePicturesTo,
  type MoveWay,
} from '../../../../src/islands/editor/commands/picture-order.ts';
import { pictureAtCaret } from '../../../../src/islands/editor/pictures/picture-at-caret.ts';
import { stateOf, written } from './written.ts';

const A = '![甲](/a.png)';
const B = '![乙](/b.png "图注")';

/** Moves the pictures of the selection; returns the new text, or the reason why they stay. */
function move(text: string, way: MoveWay): string {
  const state = stateOf(text);
  const moved = movePictures(state, state.selection.main, way);
  return typeof moved === 'string' ? moved : written(state.update(moved).state);
}

describe('a picture that is a paragraph', () => {
  test.each([
    ['over a paragraph', `前\n\n¦${A}\n\n后`, `¦${A}\n\n前\n\n后`, `前\n\n后\n\n¦${A}`],
    [
      'over another picture',
      `前\n\n${A}\n\n${B}¦\n\n后`,
      `前\n\n${B}¦\n\n${A}\n\n后`,
      `前\n\n${A}\n\n后\n\n${B}¦`,
    ],
    [
      'over a list and a code block as a whole',
      `- 一\n- 二\n\n¦${A}\n\n\`\`\`ts\n1\n\n2\n\`\`\`\n\n后`,
      `¦${A}\n\n- 一\n- 二\n\n\`\`\`ts\n1\n\n2\n\`\`\`\n\n后`,
      `- 一\n- 二\n\n\`\`\`ts\n1\n\n2\n\`\`\`\n\n¦${A}\n\n后`,
    ],
    [
      'between headings without empty lines, which get one',
      `## 一\n¦${A}\n## 二\n后`,
      `¦${A}\n\n## 一\n\n## 二\n后`,
      `## 一\n\n## 二\n\n¦${A}\n\n后`,
    ],
  ])('goes %s', (_, text, up, down) => {
    expect(move(text, 'up')).toBe(up);
    expect(move(text, 'down')).toBe(down);
  });

  test('moves together with the other selected pictures', () => {
    expect(move(`前\n\n⟦${A}\n\n${B}⟧\n\n后`, 'up')).toBe(`⟦${A}\n\n${B}⟧\n\n前\n\n后`);
    expect(move(`前\n\n⟦${A}\n\n${B}⟧\n\n后`, 'down')).toBe(`前\n\n后\n\n⟦${A}\n\n${B}⟧`);
  });

  test('does not move at either end, in a line of text, in a list, or next to selected text', () => {
    expect(move(`¦${A}\n\n后`, 'up')).toBe('first');
    expect(move(`前\n\n¦${A}\n`, 'down')).toBe('last');
    for (const text of [`前\n\n看¦${A}`, `前\n\n- ¦${A}`, `⟦前\n\n${A}⟧\n\n后`, `前\n¦\n${A}`, '¦'])
      expect(move(text, 'up')).toBe('inline');
  });

  test('returns completely by the opposite move or one undo; its row moves along', () => {
    const text = `前\n\n后\n\n¦${A}\n\n## 末`;
    const once = move(text, 'up');
    expect(move(once, 'down')).toBe(text);
    const start = stateOf(text);
    let state = EditorState.create({
      doc: start.doc,
      selection: start.selection,
      extensions: [history(), pictureAtCaret],
    });
    const moved = movePictures(start, start.selection.main, 'up');
    if (typeof moved !== 'string') state = state.update(moved).state;
    expect(state.field(pictureAtCaret).picture?.from).toBe(state.doc.toString().indexOf(A));
    undo({ state, dispatch: (transaction) => (state = transaction.state) });
    expect(state.doc.toString()).toBe(start.doc.toString());
  });
});

/** Drags the first picture to the position of `‸`; returns the new text. */
function drag(text: string): string | null {
  const at = text.replace('¦', '').indexOf('‸');
  const state = stateOf(text.replace('‸', ''));
  const from = state.doc.toString().indexOf(A);
  const moved = movePicturesTo(state, { from, to: from + A.length }, at);
  return typeof moved === 'string' || moved === null ? moved : written(state.update(moved).state);
}

describe('a picture that is dragged', () => {
  const others = '前面一段\n\n- 一\n- 二\n\n后面一段';
  test.each([
    ['above the paragraph whose beginning is nearer', `前‸面一段\n\n后\n\n¦${A}`, `¦${A}\n\n前面一段\n\n后`],
    ['below the paragraph whose end is nearer', `¦${A}\n\n前\n\n后面一‸段`, `前\n\n后面一段\n\n¦${A}`],
    ['between two, from above', `${A}\n\n前面一段‸\n\n¦后`, `前面一段\n\n${A}\n\n¦后`],
    ['between two, from below', `¦前\n\n‸后\n\n末\n\n${A}`, `¦前\n\n${A}\n\n后\n\n末`],
    ['never into a list', `${A}\n\n¦- 一\n- 二‸\n- 三`, `¦- 一\n- 二\n- 三\n\n${A}`],
    ['to the very end', `${A}\n\n${others}¦\n‸`, `${others}¦\n\n${A}\n`],
    ['to an empty line', `¦前\n‸\n后\n\n${A}`, `¦前\n\n${A}\n\n后`],
  ])('goes %s', (_, text, result) => {
    expect(drag(text)).toBe(result);
  });

  test('stays when dropped at its own place, or next to text', () => {
    for (const text of [
      `前\n\n¦${A.slice(0, 3)}‸${A.slice(3)}\n\n后`,
      `前‸\n\n¦${A}\n\n后`,
      `前\n\n¦${A}\n\n‸后`,
    ])
      expect(drag(text)).toBe(null);
    expect(drag(`‸前\n\n看¦${A}`)).toBe('inline');
  });
});
