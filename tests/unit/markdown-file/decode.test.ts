import { expect, test } from 'vitest';
import { decode } from '../../../src/lib/markdown-file/decode.ts';

test.each([
  ['utf-8', Buffer.from('一\r\n二\r三')],
  ['utf-8', Buffer.from('\ufeff一\n二\n三')],
  ['utf-16le', Buffer.from('\ufeff一\n二\n三', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeff一\n二\n三', 'utf16le').swap16()],
  ['gb18030', Buffer.from([0xd2, 0xbb, 0x0a, 0xb6, 0xfe, 0x0a, 0xc8, 0xfd])],
])('reads %s with one kind of line end and no mark', (encoding, bytes) => {
  expect(decode(bytes)).toEqual({ text: '一\n二\n三', encoding });
});

test('reads UTF-16 without its mark', () => {
  expect(decode(Buffer.from('---\ntitle: 一', 'utf16le')).text).toBe('---\ntitle: 一');
});

test('refuses what is no text', () => {
  for (const bytes of [
    [0x89, 0x50, 0, 0],
    [0xff, 0xff, 0xff],
    [0xff, 0xfe, 0x41],
  ]) {
    expect(() => decode(new Uint8Array(bytes))).toThrow('不是文本文件');
  }
});
