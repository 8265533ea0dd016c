import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createImages } from '../../../src/lib/server/files/image.ts';
import { HEIC } from './pictures.ts';

const images = createImages();
const UNREADABLE = { code: 'IMAGE_UNREADABLE', status: 200 };

describe('a HEIC', () => {
  const colourAt = async (bytes: Buffer, left: number, top: number) => {
    const area = sharp(bytes).extract({ left, top, width: 1, height: 1 });
    return (await area.raw().toBuffer()).map((value) => Math.round(value / 255));
  };

  test('becomes an upright JPEG', async () => {
    const { bytes, ...rest } = await images.toImage(HEIC);
    expect(rest).toEqual({ width: 64, height: 96, extension: 'jpg' });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 96 });
    expect([...(await colourAt(bytes, 32, 10)), ...(await colourAt(bytes, 32, 85))]).toEqual([
      1, 0, 0, 0, 0, 1,
    ]);
  });

  test('of which a part is missing or wrong is refused with advice', async () => {
    const refusal = { ...UNREADABLE, message: expect.stringContaining('转成 JPEG') as string };
    const wrong = Buffer.from(HEIC).fill(0xff, HEIC.indexOf('hvcC') + 4, HEIC.indexOf('hvcC') + 90);
    for (const bytes of [HEIC.subarray(0, 300), wrong])
      await expect(images.toImage(bytes)).rejects.toMatchObject(refusal);
    expect((await images.toImage(HEIC)).height).toBe(96);
  });

  test('of more than 25 million pixels is refused', async () => {
    const large = Buffer.from(HEIC);
    large.writeUInt32BE(260_422, HEIC.indexOf('ispe') + 8);
    large.writeUInt32BE(97, HEIC.indexOf('ispe') + 12);
    const message = '图片的像素过多，请缩小后再上传';
    await expect(images.toImage(large)).rejects.toMatchObject({ ...UNREADABLE, message });
  });
});
