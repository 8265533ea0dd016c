import { expect, test } from 'vitest';
import { table } from '../../../src/lib/cli/table.ts';

test('columns are aligned on a terminal, with Chinese characters two columns wide', () => {
  const rows = [
    ['名字', '数', '注'],
    ['墨页', '7', ''],
    ['a', '1234', '完'],
  ];
  expect(table(rows, [1])).toEqual(['名字    数  注', '墨页     7', 'a     1234  完']);
});
