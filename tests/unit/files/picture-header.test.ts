import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { PictureFormat } from '../../../src/lib/contract/rules/pictures.ts';
import { readPictureSize } from '../../../src/lib/server/files/picture-header.ts';
import { hugePng, manyScans, movingGif, tinyGif, twoColours } from './pictures.ts';

const still = () => twoColours(300, 200);
const moving = async () => sharp(await movingGif(3), { animated: true });

describe('the size of a picture is read from its header', () => {
  test.each<[string, PictureFormat, () => Promise<Buffer>, object]>([
    ['PNG', 'png', () => still().png().toBuffer(), { width: 300, height: 200 }],
    [
      'interlaced PNG',
      'png',
      () => still().png({ progressive: true }).toBuffer(),
      { width: 300, height: 200 },
    ],
    ['JPEG', 'jpeg', () => still().jpeg().toBuffer(), { width: 300, height: 200, scans: 1 }],
    [
      'JPEG with metadata',
      'jpeg',
      () =>
        still()
          .withExif({ IFD0: { Copyright: 'x' } })
          .jpeg()
          .toBuffer(),
      { width: 300, scans: 1 },
    ],
    ['lossy WebP', 'webp', () => still().webp().toBuffer(), { width: 300, height: 200, frames: 1 }],
    ['lossless WebP', 'webp', () => still().webp({ lossless: true }).toBuffer(), { width: 300, height: 200 }],
    [
      'WebP with metadata',
      'webp',
      () =>
        still()
          .withExif({ IFD0: { Copyright: 'x' } })
          .webp()
          .toBuffer(),
      { width: 300, height: 200 },
    ],
    [
      'animated WebP',
      'webp',
      async () => (await moving()).webp().toBuffer(),
      { width: 40, height: 30, frames: 3 },
    ],
    ['GIF', 'gif', () => still().gif().toBuffer(), { width: 300, height: 200, frames: 1 }],
    ['animated GIF', 'gif', () => movingGif(3), { width: 40, height: 30, frames: 3 }],
    ['AVIF', 'avif', () => still().avif({ effort: 0 }).toBuffer(), { width: 300, height: 200, frames: 1 }],
  ])('%s', async (_name, format, make, size) => {
    expect(readPictureSize(await make(), format)).toMatchObject(size);
  });

  test('a progressive JPEG has several scans', async () => {
    const bytes = await still().jpeg({ progressive: true }).toBuffer();
    expect(readPictureSize(bytes, 'jpeg')?.scans).toBeGreaterThan(3);
    expect(readPictureSize(manyScans(2_000), 'jpeg')).toEqual({
      width: 8,
      height: 8,
      frames: 1,
      scans: 2_000,
    });
  });

  test('a GIF has the size of the area covered by its frames', () => {
    expect(readPictureSize(tinyGif(2, 500), 'gif')).toMatchObject({ width: 500, height: 500, frames: 2 });
  });

  test('a file that declares one pixel has one: decoders read no more', async () => {
    const bytes = hugePng(1, 1);
    expect(readPictureSize(bytes, 'png')).toMatchObject({ width: 1, height: 1 });
    expect((await sharp(bytes).raw().toBuffer({ resolveWithObject: true })).info).toMatchObject({ width: 1 });
  });

  test('a BMP may be bottom-up or top-down', () => {
    const header = Buffer.alloc(26);
    header.writeUInt32LE(30, 18);
    header.writeInt32LE(-20, 22);
    expect(readPictureSize(header, 'bmp')).toMatchObject({ width: 30, height: 20 });
  });

  test('a file truncated anywhere has the same size, or none', async () => {
    const files: [PictureFormat, Buffer][] = [
      ['png', await still().png().toBuffer()],
      ['jpeg', await still().jpeg({ progressive: true }).toBuffer()],
      ['webp', await (await moving()).webp().toBuffer()],
      ['gif', await movingGif(3)],
      ['avif', await still().avif({ effort: 0 }).toBuffer()],
    ];
    for (const [format, whole] of files) {
      const { width = 0 } = readPictureSize(whole, format) ?? {};
      for (let length = 0; length < whole.length; length += 3) {
        const size = readPictureSize(whole.subarray(0, length), format);
        expect([width, undefined]).toContain(size?.width);
      }
    }
  });

  test('zero pixels are invalid', () => {
    expect(readPictureSize(hugePng(0, 5), 'png')).toBeNull();
    expect(readPictureSize(hugePng(5, 0), 'png')).toBeNull();
  });
});
