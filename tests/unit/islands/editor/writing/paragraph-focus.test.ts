import { Text } from '@codemirror/state';
import { describe, expect, test } from 'vitest';
import { paragraphsAround } from '../../../../../src/islands/editor/writing/paragraph-focus.ts';

const doc = Text.of(['甲一', '甲二', '', '乙一', '  ', '丙一', '丙二', '丙三']);
const whole = { from: 0, to: doc.length };
const lines = (first: number, last: number, within = whole) =>
  paragraphsAround(doc, { from: doc.line(first).from, to: doc.line(last).to }, within);

describe('the current paragraph', () => {
  test.for([
    ['its lines, from any of them', 2, 2, 1, 2],
    ['one line', 4, 4, 4, 4],
    ['an empty line is its own', 3, 3, 3, 3],
    ['so is one of spaces', 5, 5, 5, 5],
    ['up to the end of the text', 6, 6, 6, 8],
    ['all of a selection', 2, 6, 1, 8],
  ] as const)('%s', ([, from, to, first, last]) => expect(lines(from, to)).toEqual({ first, last }));

  test('is limited to the visible part', () => {
    const within = { from: doc.line(7).from, to: doc.line(7).to };
    expect(lines(7, 7, within)).toEqual({ first: 7, last: 7 });
  });
});
