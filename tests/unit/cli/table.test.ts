import { expect, test } from 'vitest';
import { table } from '../../../src/lib/cli/table.ts';

test('columns line up on a terminal, where a Chinese character is two columns wide', () => {
  const rows = [
    ['名字', '数', '注'],
    ['墨页', '7', ''],
    ['a', '1234', '完'],
  ];
  expect(table(rows, ['start', 'end', 'start'])).toEqual(['名字    数  注', '墨页     7', 'a     1234  完']);
});
