import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { movePictures, type MoveWay } from '../../../../src/islands/editor/commands/picture-order.ts';
import { pictureAtCaret } from '../../../../src/islands/editor/picture-at-caret.ts';
import { stateOf, written } from './written.ts';

const A = '![甲](/a.png)';
const B = '![乙](/b.png "图注")';

/** What moving the pictures of the selection makes of a text, or why they stay. */
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

  test('goes along with those that are chosen with it', () => {
    expect(move(`前\n\n⟦${A}\n\n${B}⟧\n\n后`, 'up')).toBe(`⟦${A}\n\n${B}⟧\n\n前\n\n后`);
    expect(move(`前\n\n⟦${A}\n\n${B}⟧\n\n后`, 'down')).toBe(`前\n\n后\n\n⟦${A}\n\n${B}⟧`);
  });

  test('stays at either end, in a line of text, in a list, and beside chosen text', () => {
    expect(move(`¦${A}\n\n后`, 'up')).toBe('first');
    expect(move(`前\n\n¦${A}\n`, 'down')).toBe('last');
    for (const text of [`前\n\n看¦${A}`, `前\n\n- ¦${A}`, `⟦前\n\n${A}⟧\n\n后`, `前\n¦\n${A}`, '¦'])
      expect(move(text, 'up')).toBe('inline');
  });

  test('comes back whole at the other way, and with one undo; its row goes along', () => {
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
