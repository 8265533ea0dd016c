import { describe, expect, test } from 'vitest';
import { isReserved } from '../../../src/lib/server/users/reserved-names.ts';
import { INNOCENT, RESERVED } from '../../reserved-names.ts';

const own = { title: '墨页', reserved: ['书斋', 'a', 'aa'] };

describe('a name of the site and its staff is reserved', () => {
  test.each(RESERVED)('%s', (_, names) => {
    expect(names.filter((name) => !isReserved(name, own))).toEqual([]);
  });
});

test('innocent names are free', () => {
  expect(INNOCENT.filter((name) => isReserved(name, own))).toEqual([]);
});

test('the title of the site is reserved anywhere in a name, a Latin one as words', () => {
  const isFree = (title: string, name: string) => !isReserved(name, { title, reserved: [] });
  for (const name of ['山居筆記', '山居笔记助手', '小山居笔记', '山居 笔记'])
    expect(isFree('山居笔记', name)).toBe(false);
  for (const name of ['my_blog', 'My Blog News', 'MYBLOG', 'ｍｙ-ｂｌｏｇ', 'my blog官方'])
    expect(isFree('My Blog', name)).toBe(false);
  for (const name of ['山居', '笔记', '山中笔记']) expect(isFree('山居笔记', name)).toBe(true);
  for (const name of ['blog', 'mybloggers', 'amyblog']) expect(isFree('My Blog', name)).toBe(true);
  for (const title of ['', '✓', '页', 'A']) expect(isFree(title, '一页 A纸')).toBe(true);
});

test('names that the operator reserved are so as a whole, and made of reserved words', () => {
  for (const name of ['書齋', '书-斋', '书斋系统', 'aaa', 'A']) expect(isReserved(name, own)).toBe(true);
  for (const name of ['书斋读者', 'aab', 'banana']) expect(isReserved(name, own)).toBe(false);
});

test('a long name of words that repeat is judged', () => {
  expect(isReserved(`${'a'.repeat(99)}b`, own)).toBe(false);
  expect(isReserved('a'.repeat(100), own)).toBe(true);
});
