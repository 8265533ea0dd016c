import { describe, expect, test } from 'vitest';
import { createNames, safeName } from '../../../src/lib/server/export/file-names.ts';

describe('a title as the name of a file', () => {
  test.each([
    ['山居秋暝', '山居秋暝'],
    ['山居  秋暝', '山居-秋暝'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j'],
    ['..', '无题'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.隐藏', '隐藏'],
    ['结尾的点...', '结尾的点'],
    ['  ', '无题'],
    ['', '无题'],
    ['\u0000\u202e\u200b', '无题'],
    ['CON', '_CON'],
    ['lpt1.txt', '_lpt1.txt'],
    ['console', 'console'],
    ['👨‍👩‍👧 一家', '👨‍👩‍👧-一家'],
    ['C# 与 100%', 'C-与-100'],
    ['e\u0301', '\u00e9'],
    ['\ud800 半个', '\ufffd-半个'],
    ['[标签] (一)', '标签-一'],
  ])('%j is %j', (title, name) => {
    expect(safeName(title)).toBe(name);
  });

  test('is cut between characters, and stays below what file systems take', () => {
    for (const text of ['山'.repeat(500), '👨‍👩‍👧'.repeat(100), `${'a'.repeat(99)}山水`]) {
      const name = safeName(text);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(100);
      expect(text.startsWith(name)).toBe(true);
      expect(name.isWellFormed()).toBe(true);
      expect(name.endsWith('\u200d')).toBe(false);
    }
  });
});

test('names of a folder differ without regard to case and width, and depend on ids alone', () => {
  const nameFor = createNames();
  expect(nameFor('Abc', '000000000000000000000001')).toBe('Abc');
  expect(nameFor('ABC', '000000000000000000000002')).toBe('ABC-000002');
  expect(nameFor('ａｂｃ', '000000000000000000000003')).toBe('ａｂｃ-000003');
  expect(nameFor('abc', '100000000000000000000003')).toBe('abc-100000000000000000000003');
});
