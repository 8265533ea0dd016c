import { describe, expect, test } from 'vitest';
import { readImageDataUrl } from '../../../src/lib/server/files/data-url.ts';

const MOST = 3000;
const url = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const bytes = Buffer.from([0xfb, 0xff, 0xbf, 1, 2]);

describe('the data URL of an avatar', () => {
  test.each(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'IMAGE/PNG', 'image/png;charset=utf-8'])(
    'of type %s is read',
    (type) => {
      expect(readImageDataUrl(url(bytes, type), MOST)).toEqual(bytes);
    },
  );

  test('is also read when the form turned plus signs into spaces', () => {
    const text = url(bytes);
    expect(text).toContain('+');
    expect(readImageDataUrl(text.replaceAll('+', ' '), MOST)).toEqual(bytes);
  });

  test.each([
    'hello',
    'data:,',
    'data:image/png;base64,',
    'data:image/png;base64,=',
    'data:image/png;base64,A===',
    'data:image/png;base64,AA$A',
    'data:image/png;base64,AA=AAAAA',
    'data:image/png;base64,字字字字',
    'data:image/png,AAAA',
    'data:image/svg+xml;base64,AAAA',
    'data:image/gif;base64,AAAA',
    'data:text/html;base64,AAAA',
    'https://example.com/a.png',
    ` data:image/png;base64,AAAA`,
    `data:image/png${';a=b'.repeat(100_000)};base64,AAAA`,
  ])('%.60s is refused', (text) => {
    expect(() => readImageDataUrl(text, MOST)).toThrow(expect.objectContaining({ code: 'IMAGE_UNREADABLE' }));
  });

  test('that is empty counts as missing', () => {
    expect(() => readImageDataUrl('  ', MOST)).toThrow(expect.objectContaining({ code: 'IMAGE_MISSING' }));
  });

  test('may reach the limit, and not one byte more', () => {
    for (const length of [MOST - 2, MOST - 1, MOST]) {
      expect(readImageDataUrl(url(new Uint8Array(length)), MOST)).toHaveLength(length);
    }
    for (const length of [MOST + 1, MOST + 2, MOST + 3, MOST * 9]) {
      expect(() => readImageDataUrl(url(new Uint8Array(length)), MOST)).toThrow(
        expect.objectContaining({ code: 'BODY_TOO_LARGE', status: 413 }),
      );
    }
    const most = 16 * 1024 * 1024;
    expect(() => readImageDataUrl(url(new Uint8Array(most + 1)), most)).toThrow('图片不能超过 16 MB');
  });
});
