import { SearchQuery } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { countText, matchesOf } from '../../../../src/islands/editor/find/find-panel.ts';

const TEXT = '墨页里写字，\n墨页里读书。$\\nabla f$ Moye moye';
const find = (query: ConstructorParameters<typeof SearchQuery>[0], doc = TEXT) =>
  matchesOf(new SearchQuery({ literal: true, ...query }), EditorState.create({ doc }));

test('matches are counted, and the selected one has its number', () => {
  const matches = find({ search: '墨页' });
  expect(countText(matches, { from: 0, to: 0 })).toBe('2 处');
  expect(countText(matches, { from: 7, to: 9 })).toBe('2/2');
  expect(countText(find({ search: '没有' }), { from: 0, to: 0 })).toBe('没有找到');
});

test.each([
  [{ search: 'moye' }, 2],
  [{ search: 'moye', caseSensitive: true }, 1],
  [{ search: '\\nabla' }, 1],
  [{ search: '[写读].', regexp: true }, 2],
  [{ search: '[', regexp: true }, 0],
  [{ search: '' }, 0],
])('%j is found %d times', (query, count) => {
  expect(find(query)).toHaveLength(count);
});

test('counting ends at a limit, also for a pattern that matches nothing everywhere', () => {
  const long = '字'.repeat(200_000);
  for (const query of [{ search: '字' }, { search: 'x*', regexp: true }])
    expect(find(query, long).length).toBeLessThanOrEqual(10_000);
  expect(countText(find({ search: '字' }, long), { from: 1, to: 2 })).toBe('2/9999+');
});
