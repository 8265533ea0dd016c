import { beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { createImages } from '../../../src/lib/server/files/image.ts';
import { GIF, hugePng, manyScans, movingGif, noise, stillGif, SVG, tinyGif, twoColours } from './pictures.ts';

const images = createImages();
const UNREADABLE = { code: 'IMAGE_UNREADABLE', status: 200 };

let png: Buffer;
let jpeg: Buffer;
let webp: Buffer;
beforeAll(async () => {
  png = await twoColours(300, 200).png().toBuffer();
  jpeg = await twoColours(300, 200).jpeg().toBuffer();
  webp = await twoColours(300, 200).webp().toBuffer();
});

describe('an avatar', () => {
  test('becomes a square WebP of 256 pixels, whatever its format', async () => {
    for (const bytes of [png, jpeg, webp, await twoColours(9, 30).png().toBuffer()]) {
      const avatar = await images.toAvatar(bytes);
      expect(avatar.extension).toBe('webp');
      expect(await sharp(avatar.bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    }
  });
});

describe('an image in an article', () => {
  test('keeps its format and size', async () => {
    for (const [bytes, format, extension] of [
      [png, 'png', 'png'],
      [jpeg, 'jpeg', 'jpg'],
      [webp, 'webp', 'webp'],
    ] as const) {
      const image = await images.toImage(bytes);
      expect(image).toMatchObject({ extension, width: 300, height: 200 });
      expect(await sharp(image.bytes).metadata()).toMatchObject({ format, width: 300, height: 200 });
    }
  });

  test('is resized to at most 2560 pixels in width', async () => {
    const { bytes } = await images.toImage(await twoColours(4000, 100).png().toBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 2560, height: 64 });
  });

  test('is rotated upright and loses location, camera and comments', async () => {
    const tagged = await twoColours(300, 200)
      .withExif({ IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitude: '39/1 54/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const source = await sharp(tagged).metadata();
    expect([source.orientation, source.exif === undefined]).toEqual([6, false]);
    const { bytes } = await images.toImage(tagged);
    const result = await sharp(bytes).metadata();
    expect([result.width, result.height, result.orientation, result.exif]).toEqual([
      200,
      300,
      undefined,
      undefined,
    ]);
    // After a quarter turn to the right, the left half is on top.
    const [red = 0, , blue = 0] = await sharp(bytes)
      .extract({ left: 100, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(red).toBeGreaterThan(blue);
  });

  test('stays animated as WebP', async () => {
    const frames = await Promise.all(
      ['red', 'green', 'blue'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const image = await images.toImage(animated);
    expect(await sharp(image.bytes, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      width: 40,
      pageHeight: 30,
    });
    expect(
      (await sharp((await images.toAvatar(animated)).bytes, { animated: true }).metadata()).pages,
    ).toBeUndefined();
  });

  test('that is an animated GIF stays animated, within the limit on pixels of all frames', async () => {
    const image = await images.toImage(await movingGif(3));
    expect(image).toMatchObject({ extension: 'webp', width: 40, height: 30 });
    expect(await sharp(image.bytes, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      pageHeight: 30,
    });
    const bomb = await movingGif(13);
    // Each frame alone would be allowed: a screen of 6000 × 6000 has 36 million pixels.
    bomb.writeUInt16LE(6000, 6);
    bomb.writeUInt16LE(6000, 8);
    await expect(images.toImage(bomb)).rejects.toMatchObject({
      message: '动图各帧的像素加起来过多，请缩小尺寸或减少帧数后再上传',
    });
  });

  test('is read as AVIF', async () => {
    const avif = await twoColours(300, 200).avif({ effort: 0 }).toBuffer();
    const image = await images.toImage(avif);
    expect(image).toMatchObject({ extension: 'webp', width: 300, height: 200 });
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'webp', width: 300, height: 200 });
    // Some encoders list the brand only among the compatible brands.
    const other = Buffer.from(avif);
    other.write('mif1', 8, 'latin1');
    expect((await images.toImage(other)).extension).toBe('webp');
  });

  test('is read one at a time: each may take 200 MB', async () => {
    const order: string[] = [];
    const large = await twoColours(2000, 2000).png().toBuffer();
    await Promise.all(
      [large, png, webp].map((bytes, index) =>
        images.toImage(bytes, { id: `account ${index}` }).then(() => order.push(`${index}`)),
      ),
    );
    expect(order).toEqual(['0', '1', '2']);
  });

  test('loses data appended to it', async () => {
    const payload = Buffer.from('<script>alert(1)</script><?php system(1) ?>PK\x03\x04');
    for (const bytes of [png, jpeg, webp]) {
      const image = await images.toImage(Buffer.concat([bytes, payload]));
      expect(image.bytes.includes('alert')).toBe(false);
      expect(image.bytes.includes('php')).toBe(false);
    }
  });
});

describe('refused as unreadable:', () => {
  const garbage = Buffer.alloc(2000, 0x5a);
  const cases: [string, () => Buffer | Promise<Buffer>][] = [
    ['an SVG', () => SVG],
    ['a GIF that breaks off', () => GIF.subarray(0, 20)],
    ['a HEIC', () => Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), garbage])],
    ['a TIFF', () => Buffer.concat([Buffer.from('II*\0'), garbage])],
    ['an AVIF', () => Buffer.concat([Buffer.from('\0\0\0\x1cftypavif'), garbage])],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from([0x89])],
    ['an SVG behind the first bytes of a PNG', () => Buffer.concat([png.subarray(0, 8), SVG])],
    ['an SVG behind the first bytes of a JPEG', () => Buffer.concat([jpeg.subarray(0, 3), SVG])],
    ['a GIF in the frame of a WebP', () => Buffer.concat([webp.subarray(0, 12), GIF])],
    ['half a PNG', () => png.subarray(0, png.length >> 1)],
    ['half a JPEG', () => jpeg.subarray(0, jpeg.length >> 1)],
    ['half a WebP', () => webp.subarray(0, webp.length >> 1)],
    ['a header without a picture', () => png.subarray(0, 33)],
  ];
  test.each(cases)('%s', async (_name, make) => {
    const bytes = await make();
    await expect(images.toImage(bytes)).rejects.toMatchObject(UNREADABLE);
    await expect(images.toAvatar(bytes)).rejects.toMatchObject(UNREADABLE);
  });

  test('a HEIC as an avatar, with advice', async () => {
    const heic = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypheic\0\0\0\0mif1heic'),
      Buffer.alloc(99),
    ]);
    const refusal = { ...UNREADABLE, message: expect.stringContaining('转成 JPEG') as string };
    await expect(images.toAvatar(heic)).rejects.toMatchObject(refusal);
  });

  test('a GIF or an AVIF as an avatar', async () => {
    const refusal = { ...UNREADABLE, message: '无法识别的图片，请使用 PNG、JPEG 或 WebP 格式' };
    for (const bytes of [GIF, await twoColours(30, 20).avif({ effort: 0 }).toBuffer()])
      await expect(images.toAvatar(bytes)).rejects.toMatchObject(refusal);
  });

  test('a picture of 50,000 × 50,000 pixels, with the reason', async () => {
    const refusal = { ...UNREADABLE, message: '图片的像素过多，请缩小后再上传' };
    await expect(images.toAvatar(hugePng(50_000, 50_000))).rejects.toMatchObject(refusal);
    await expect(images.toImage(hugePng(50_000, 50_000))).rejects.toMatchObject(refusal);
    await expect(images.toImage(hugePng(2, 1_000_000_000))).rejects.toMatchObject(UNREADABLE);
  });
});

const flood = () => Array.from({ length: 17 }, (_, index) => images.toImage(png, { id: `account ${index}` }));

test.each([
  [
    '1 × 49,000,000 pixels',
    () => hugePng(1, 49_000_000),
    '图片的宽和高都不能超过 16384 像素，请裁剪后再上传',
  ],
  [
    '49,000,000 × 1 pixels',
    () => hugePng(49_000_000, 1),
    '图片的宽和高都不能超过 16384 像素，请裁剪后再上传',
  ],
  ['16,385 × 1 pixels', () => hugePng(16_385, 1), '图片的宽和高都不能超过 16384 像素，请裁剪后再上传'],
  ['1,001 frames', () => tinyGif(1_001), '动图不能超过 1000 帧，请减少后再上传'],
  [
    'a GIF whose frame goes far beyond its screen',
    () => tinyGif(1, 60_000),
    '图片的像素过多，请缩小后再上传',
  ],
  [
    'a GIF of 490 million pixels over all frames',
    () => tinyGif(1_000, 700),
    '动图各帧的像素加起来过多，请缩小尺寸或减少帧数后再上传',
  ],
  ['a JPEG of 65 scans', () => manyScans(65), '这张渐进式 JPEG 的扫描次数过多，请另存后再上传'],
])('a picture of %s is refused without a place in a lane', async (_name, make, message) => {
  const working = flood();
  const refusal = { ...UNREADABLE, message };
  await expect(images.toImage(make(), { id: 'attacker' })).rejects.toMatchObject(refusal);
  await Promise.all(working);
});

test('a picture at the limits is accepted', async () => {
  expect(await images.toImage(await twoColours(16_384, 2).png().toBuffer())).toMatchObject({ width: 2560 });
  expect(await images.toImage(tinyGif(1_000))).toMatchObject({ width: 1, height: 1 });
});

test('a GIF of more than 50 million pixels over all frames keeps its frames, which are smaller', async () => {
  const { bytes, width, height, extension } = await images.toImage(await stillGif(53, 1_000, 998));
  const { pages = 0, delay, loop, format, ...stored } = await sharp(bytes).metadata();
  expect({ pages, loop, format, extension }).toEqual({
    pages: 53,
    loop: 3,
    format: 'webp',
    extension: 'webp',
  });
  expect(delay).toEqual(Array(53).fill(70));
  expect(height).toBe(stored.height);
  expect(width * height * pages).toBeLessThanOrEqual(50_000_000);
  expect(width).toBeGreaterThan(900);
  // The stored picture can be imported into another site.
  expect(await images.toImage(bytes)).toMatchObject({ width, height });
});

test('a picture that takes too long is refused with the reason', async () => {
  const tile = await noise(500, 400).png().toBuffer();
  const canvas = sharp({ create: { width: 1_000, height: 14_000, channels: 3, background: 'white' } });
  const large = await canvas
    .composite([{ input: tile, tile: true }])
    .webp({ effort: 0 })
    .toBuffer();
  const hurried = createImages(undefined, 1);
  const message = '处理这张图片超过了 1 秒，请缩小尺寸（动图也可减少帧数）后再上传';
  await expect(hurried.toImage(large)).rejects.toMatchObject({ ...UNREADABLE, message });
});
