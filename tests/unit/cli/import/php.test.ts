import { expect, test } from 'vitest';
import { readStored } from '../../../../src/lib/importers/typecho/php.ts';

const plain = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries([...value].map(([key, each]) => [key, plain(each)])) : value;

test('values stored by Typecho are read: PHP arrays and JSON', () => {
  const text = 'a:3:{s:3:"名";s:6:"照片";i:0;a:2:{s:1:"a";d:-1.5;s:1:"b";N;}s:2:"is";b:1;}';
  expect(plain(readStored(text))).toEqual({ 名: '照片', 0: { a: -1.5, b: null }, is: true });
  expect(plain(readStored('{"url":"/[slug].html","list":[1,null]}'))).toEqual({
    url: '/[slug].html',
    list: { 0: 1, 1: null },
  });
  // A quote or a brace within a string ends nothing.
  expect(plain(readStored('a:1:{i:0;s:5:"";}{"";}'))).toEqual({ 0: '";}{"' });
});

test.each([
  ['O:8:"stdClass":0:{}', 'object'],
  ['a:1:{i:0;O:8:"stdClass":0:{}}', 'object'],
  ['C:1:"x":0:{}', 'object'],
  ['E:3:"A:B";', 'object'],
  ['a:2:{i:0;i:1;i:1;R:2;}', 'object'],
  ['a:2:{i:0;i:1;}', 'broken'],
  ['a:-1:{}', 'broken'],
  ['a:999999999:{}', 'broken'],
  ['s:99:"short";', 'broken'],
  ['s:5:"abc";', 'broken'],
  ['i:1;i:2;', 'broken'],
  [`${'a:1:{i:0;'.repeat(40)}N;${'}'.repeat(40)}`, 'broken'],
  ['a:1:{a:0:{}N;}', 'broken'],
  ['['.repeat(20_000), 'broken'],
  [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'broken'],
  ['i:', 'broken'],
  ['', 'broken'],
  ['x'.repeat(5 * 2 ** 20), 'broken'],
])('%.40s is refused', (text, reason) => {
  expect(() => readStored(text)).toThrow(`serialised PHP: ${reason}`);
});
