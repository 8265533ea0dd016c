import { describe, expect, test } from 'vitest';
import { changeOf, firstOf } from '../../../../../src/islands/editor/preview/preview-change.ts';

describe('the update of a preview after a change', () => {
  const carriedOut = (before: readonly string[], after: readonly string[]) => {
    const list = [...before];
    for (const { at, removed, added } of changeOf(before, after)) list.splice(at, removed, ...added);
    return list;
  };

  test.each([
    ['nothing, where nothing differs', ['甲', '乙'], ['甲', '乙'], 0],
    ['the piece that differs', ['甲', '乙', '丙'], ['甲', '丁', '丙'], 1],
    ['a piece that is new', ['甲', '甲'], ['甲', '甲', '甲'], 1],
    ['that pieces are gone', ['甲', '乙', '丙'], ['丙'], 1],
    ['all, at first', [], ['甲', '乙'], 1],
  ])('%s', (_, before, after, count) => {
    expect(changeOf(before, after)).toHaveLength(count);
    expect(carriedOut(before, after)).toEqual(after);
  });

  test('a long article is sent in slices', () => {
    const pieces = Array.from({ length: 100 }, (_, index) => `${index}${'字'.repeat(5_000)}`);
    expect(changeOf(['旧'], pieces).length).toBeGreaterThan(10);
    expect(carriedOut(['旧'], pieces)).toEqual(pieces);
  });
});

test('the beginning of a long text is shown first, in whole paragraphs', () => {
  const text = `${'字'.repeat(500)}\n\n`.repeat(100);
  const first = firstOf(text) ?? '';
  expect(text.startsWith(`${first}\n\n`)).toBe(true);
  expect(first.length).toBeLessThan(12_000);
  expect(firstOf('短')).toBeNull();
});
