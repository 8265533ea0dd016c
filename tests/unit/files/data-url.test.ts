import { describe, expect, test } from 'vitest';
import { readImageDataUrl } from '../../../src/lib/server/files/file-service.ts';

const MAX_BYTES = 3000;
const url = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const bytes = Buffer.from([0xfb, 0xff, 0xbf, 1, 2]);

describe('the data URL of an avatar', () => {
  test.each(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'IMAGE/PNG', 'image/png;charset=utf-8'])(
    'of type %s is read',
    (type) => {
      expect(readImageDataUrl(url(bytes, type), MAX_BYTES)).toEqual(bytes);
    },
  );

  test('is also read when the form turned plus signs into spaces', () => {
    const text = url(bytes);
    expect(text).toContain('+');
    expect(readImageDataUrl(text.replaceAll('+', ' '), MAX_BYTES)).toEqual(bytes);
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
    expect(() => readImageDataUrl(text, MAX_BYTES)).toThrow(
      expect.objectContaining({ code: 'IMAGE_UNREADABLE' }),
    );
  });

  test('that is empty counts as missing', () => {
    expect(() => readImageDataUrl('  ', MAX_BYTES)).toThrow(
      expect.objectContaining({ code: 'IMAGE_MISSING' }),
    );
  });

  test('may reach the limit, and not one byte more', () => {
    for (const length of [MAX_BYTES - 2, MAX_BYTES - 1, MAX_BYTES]) {
      expect(readImageDataUrl(url(new Uint8Array(length)), MAX_BYTES)).toHaveLength(length);
    }
    for (const length of [MAX_BYTES + 1, MAX_BYTES + 2, MAX_BYTES + 3, MAX_BYTES * 9]) {
      expect(() => readImageDataUrl(url(new Uint8Array(length)), MAX_BYTES)).toThrow(
        expect.objectContaining({ code: 'BODY_TOO_LARGE', status: 413 }),
      );
    }
    const most = 16 * 1024 * 1024;
    expect(() => readImageDataUrl(url(new Uint8Array(most + 1)), most)).toThrow('图片不能超过 16 MB');
  });
});
