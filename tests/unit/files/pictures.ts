import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture with a red left half and a blue right half. */
export function twoColours(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index++) {
    const isLeft = index % width < width / 2;
    pixels.set(isLeft ? [255, 0, 0] : [0, 0, 255], index * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A PNG whose header claims that size, with almost no data. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(4096))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** A noisy picture, which compresses badly. */
export function noise(width: number, height: number) {
  let state = 1;
  const grain = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) >> 25;
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at % 160) + grain()));
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** An animated GIF with that many frames. */
export async function movingGif(frames: number, width = 40, height = 30): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    sharp({ create: { width, height, channels: 3, background: { r: 15 * index, g: 0, b: 255 } } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** An animated GIF whose frames differ in one pixel. */
export function stillGif(frames: number, width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * frames);
  for (let frame = 0; frame < frames; frame += 1) pixels[frame * width * height + frame] = 255;
  const raw = { width, height: height * frames, channels: 1, pageHeight: height } as const;
  return sharp(pixels, { raw, limitInputPixels: false })
    .gif({ effort: 1, delay: Array<number>(frames).fill(70), loop: 3 })
    .toBuffer();
}

/** A GIF with a screen of one pixel and square frames of `side` pixels. */
export function tinyGif(frames: number, side = 1): Buffer {
  const sides = Buffer.alloc(4);
  sides.writeUInt16LE(side, 0);
  sides.writeUInt16LE(side, 2);
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), sides, Buffer.from([0, 2, 2, 0x44, 1, 0])]);
  const screen = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** Start of a progressive JPEG of 8 × 8 pixels with that many empty scans, preceded by many markers. */
export function manyScans(scans: number): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0, 2]);
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...Array.from({ length: 10_000 }, () => comment),
    frame,
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

/** A HEIC of 96 × 64 pixels, left red and right blue, to be turned by 90° clockwise. */
export const HEIC = Buffer.from(
  'AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABMW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAA' +
    'DnBpdG0AAAAAAAEAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAALVpcHJwAAAAl2lwY28AAAByaHZjQwEE' +
    'CAAAAJ+oAAAAAB7wAPz9+PgAAA8DoAABABdAAQwB//8ECAAAAwCfqAAAAwAAHroCQKEAAQAmQgEBBAgAAAMAn6gAAAMAAB6g' +
    'MIEFlupJMrmgIAAAAwAgAAADAyGiAAEAB0QBwXKwIkAAAAAUaXNwZQAAAAAAAABgAAAAQAAAAAlpcm90AwAAABZpcG1hAAAA' +
    'AAAAAAEAAQOBAoMAAAAeaWxvYwAAAABEAAABAAEAAAABAAABUQAAAFkAAABhbWRhdAAAAFUoAa8J4CM18f/5o2v/6TnZfhCc' +
    'oF0f/qF277Wr//N3EdfXB6wiNGcHYv81xomuePf1Ge/VK4Px+wfewEgpiR5j0jVPePBf4ckPDXPYObLVzHKhOPEP',
  'base64',
);
