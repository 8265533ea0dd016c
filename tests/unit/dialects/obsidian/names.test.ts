import { expect, test } from 'vitest';
import { createNames } from '../../../../src/lib/dialects/obsidian/names.ts';

const names = createNames([
  '日记/甲.md',
  '甲.md',
  '读书/甲.md',
  '读书/乙.md',
  '附件/Pic 1.PNG',
  'cafe\u0301.md',
  '../库/丙.md',
  'v1.2.md',
]);

test.each([
  ['甲', '读书/乙.md', '读书/甲.md'],
  ['甲', '别处/丁.md', '甲.md'],
  ['日记/甲', '读书/乙.md', '日记/甲.md'],
  ['../日记/甲', '读书/乙.md', '日记/甲.md'],
  ['乙.md', '甲.md', '读书/乙.md'],
  ['pic 1.png', '甲.md', '附件/Pic 1.PNG'],
  ['caf\u00e9', '甲.md', 'cafe\u0301.md'],
  ['丙', '甲.md', '../库/丙.md'],
  ['库/丙', '甲.md', '../库/丙.md'],
  ['v1.2', '甲.md', 'v1.2.md'],
  ['没有/乙', '甲.md', null],
  ['没有', '甲.md', null],
  ['../../../etc/passwd', '甲.md', null],
])('%s in %s is %s', (name, from, found) => {
  expect(names.find(name, from)).toBe(found);
});
