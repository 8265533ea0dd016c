import { describe, expect, test } from 'vitest';
import {
  findDataPictures,
  mayHaveData,
  readDataPicture,
  restoreData,
  takeData,
} from '../../../src/lib/markdown-file/data-pictures.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const TEXT = `前 ![图](${PNG}) 后 <img src="${PNG}"> data: 不是\n\n[p]: data:text/html,<b>`;

test('addresses are taken out of a text and put back', () => {
  const { text, pictures, offsetOf } = takeData(TEXT);
  expect(text).toBe(
    '前 ![图](data:moye-picture;1) 后 <img src="data:moye-picture;2"> data: 不是\n\n[p]: data:moye-picture;3<b>',
  );
  expect([...pictures.values()]).toEqual([PNG, PNG, 'data:text/html,']);
  for (const words of ['前', ') 后', '">', '[p]', '<b>'])
    expect(offsetOf(text.indexOf(words))).toBe(TEXT.indexOf(words));
  expect(restoreData(text, pictures)).toBe(TEXT);
  expect(restoreData('data:moye-picture;9', pictures)).toBe('data:moye-picture;9');
});

test.each([
  [TEXT, true],
  ['[p]: data:,x', true],
  ['metadata: 甲\n\ndata: 乙，`data:`', false],
  ['(data:image'.repeat(10_000), false],
])('a text may have addresses: %.30s', (text, expected) => {
  expect(mayHaveData(text)).toBe(expected);
});

test('pictures are found with their places', () => {
  expect(findDataPictures(TEXT).map(({ start, end }) => TEXT.slice(start, end))).toEqual([PNG, PNG]);
});

test('twenty megabytes, and many beginnings, are read as far as they are one', () => {
  const large = `![](data:image/png;base64,${'A'.repeat(28_000_000)})`;
  expect(takeData(large).text).toBe('![](data:moye-picture;1)');
  expect(takeData('(data:image/'.repeat(100_000)).pictures.size).toBe(0);
});

describe('the bytes of an address', () => {
  const MOST = 1024 * 1024;

  test.each([
    [PNG, 'image/png', 8],
    ['data:image/JPG;base64,AAAA', 'image/jpeg', 3],
    ['data:image/svg+xml;utf8,%3Csvg%3E', 'image/svg+xml', 5],
  ])('%s', (address, type, length) => {
    const read = readDataPicture(address, MOST);
    expect([read.type, read.bytes.length]).toEqual([type, length]);
  });

  test.each([
    ['data:text/html;base64,AAAA', '不是图片，而是 text/html'],
    ['data:,abc', '不是图片，而是 文字'],
    ['data:image/png;base64,', '图片是空的'],
    ['data:image/png;base64,AAAAA', '图片的内容不完整'],
    ['data:image/svg+xml,%3', '图片的内容不完整'],
    [`data:image/png;base64,${'A'.repeat(1_500_000)}`, '图片超过 1 MiB'],
  ])('%.40s is refused', (address, reason) => {
    expect(() => readDataPicture(address, MOST)).toThrow(reason);
  });
});
