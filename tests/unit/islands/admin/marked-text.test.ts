import { expect, test } from 'vitest';
import { piecesOf } from '../../../../src/islands/admin/words/pieces.ts';

const marked = (text: string, marks: [number, number][]) =>
  piecesOf(
    text,
    marks.map(([start, end]) => ({ start, end })),
  )
    .map(({ text: piece, isFound }) => (isFound ? `[${piece}]` : piece))
    .join('');

test.each<[string, [number, number][], string]>([
  ['可以代购吗', [[2, 4]], '可以[代购]吗'],
  ['代购', [[0, 2]], '[代购]'],
  ['没有', [], '没有'],
  ['', [], ''],
  [
    '甲乙丙丁',
    [
      [2, 4],
      [0, 1],
    ],
    '[甲]乙[丙丁]',
  ],
  [
    '甲乙丙丁',
    [
      [0, 3],
      [1, 2],
      [2, 4],
    ],
    '[甲乙丙][丁]',
  ],
])('%s with marks at %j', (text, marks, expected) => {
  expect(marked(text, marks)).toBe(expected);
});
