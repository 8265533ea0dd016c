import { expect, test } from 'vitest';
import { pictureProblem } from '../../../src/lib/client/picture.ts';
import { formatOf, typesOf } from '../../../src/lib/contract/rules/pictures.ts';

test.each([
  ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
  ['RIFF\x10\0\0\0WAVEfmt ', null],
  ['LIST\x10\0\0\0WEBPVP8 ', null],
  ['GIF89a', 'gif'],
  ['GIF88a', null],
  ['\0\0\0\x18ftypavif\0\0\0\0mif1', 'avif'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1', 'heic'],
  ['\0\0\0\x18ftypmif1\0\0\0\0heic', 'heic'],
  ['\0\0\0\x18ftypmif1\0\0\0\0miaf', null],
  ['\0\0\0\x18ftypisom\0\0\0\0mp42', null],
  ['\0\0\0\x18skipavif', null],
])('a file that begins with %j has the format %s', (start, format) => {
  expect(formatOf(Uint8Array.from(start, (character) => character.charCodeAt(0)))).toBe(format);
});

test('a HEIC may be sent, whatever type the browser reports, but file fields do not ask for it', () => {
  for (const [name, type] of [
    ['一.heic', 'image/heic'],
    ['一.HEIC', ''],
    ['一.heif', 'image/heif'],
  ] as const)
    expect(pictureProblem(new File(['x'], name, { type }))).toBeNull();
  expect(pictureProblem(new File(['x'], '一.tiff', { type: 'image/tiff' }))).toContain('无法识别的图片');
  expect(typesOf('image')).not.toContain('image/heic');
});
