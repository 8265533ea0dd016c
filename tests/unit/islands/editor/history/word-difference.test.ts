import { describe, expect, test } from 'vitest';
import { wordDifference, type Part } from '../../../../../src/islands/editor/history/word-difference.ts';

const textOf = (parts: Part[], lacks: Part['kind']) =>
  parts.flatMap(({ kind, text }) => (kind === lacks ? [] : [text])).join('');
const of = (parts: Part[], kind: Part['kind']) =>
  parts.flatMap((part) => (part.kind === kind ? [part.text] : []));

describe('the difference of two texts', () => {
  test('is by words, Chinese ones too', () => {
    const parts = wordDifference('今天天气很好。\n第二行', '今天天气不错。\n第二行');
    expect(of(parts, 'same')[0]).toContain('今天天气');
    expect(of(parts, 'removed').join('')).toBe('很好');
    expect(of(parts, 'added').join('')).toBe('不错');
  });

  test.each([
    ['', ''],
    ['', '新的\n'],
    ['旧的', ''],
    ['一\n二\n三', '一\n三'],
    ['没有末行', '没有末行\n'],
    ['👨‍👩‍👧 家', '👨‍👩‍👦 家'],
    ['a\r\nb', 'a\nb'],
  ])('holds both, character for character: %j and %j', (before, after) => {
    const parts = wordDifference(before, after);
    expect([textOf(parts, 'added'), textOf(parts, 'removed')]).toEqual([before, after]);
  });

  test('of long texts with nothing in common is one change', () => {
    const before = Array.from({ length: 4000 }, (_, index) => `甲${index * 7}的一行文字`).join('\n');
    const after = Array.from({ length: 4000 }, (_, index) => `乙${index * 11}另一行`).join('\n');
    const parts = wordDifference(before, after);
    expect([textOf(parts, 'added'), textOf(parts, 'removed')]).toEqual([before, after]);
  });
});
