import { expect, test } from 'vitest';
import { formatOf } from '../../../src/lib/contract/rules/pictures.ts';

test.each([
  ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
  ['RIFF\x10\0\0\0WAVEfmt ', null],
  ['XXXX\x10\0\0\0WEBPVP8 ', null],
  ['GIF89a', 'gif'],
  ['GIF88a', null],
  ['\0\0\0\x18ftypavif\0\0\0\0mif1', 'avif'],
  ['\0\0\0\x18ftypisom\0\0\0\0mp42', null],
  ['\0\0\0\x18skipavif', null],
])('a file that begins with %j has the format %s', (start, format) => {
  expect(formatOf(Uint8Array.from(start, (character) => character.charCodeAt(0)))).toBe(format);
});
