import { readFileSync } from 'node:fs';
import type { Element } from 'xast';
import { x } from 'xastscript';
import { toXml } from 'xast-util-to-xml';
import { palette } from '../../shared/palette.ts';

export interface Logo {
  bytes: Buffer;
  type: 'image/svg+xml' | 'image/png';
  width: number;
  height: number;
}

const SVG = 'http://www.w3.org/2000/svg';
const PNG_SIGNATURE = '89504e470d0a1a0a';
const MAX_SIDE_PIXELS = 4096;
/** Twice the largest icon. */
const MAX_STORED_PIXELS = 1024;
/** Central share of an icon that systems never cut off when they shape it. */
const SAFE = 0.7;
const ICO_SIZES = [16, 32, 48];

export const ownMark = (): Logo => squareMark(readFileSync(new URL('./mark.svg', import.meta.url)));

export const squareMark = (svg: Uint8Array): Logo => ({
  bytes: Buffer.from(svg),
  type: 'image/svg+xml',
  width: 32,
  height: 32,
});

/**
 * Reads a logo: an SVG that draws something, or a PNG.
 * @param name file name, which decides the type
 * @throws an error that ends a sentence: "must be …"
 */
export async function readLogo(name: string, bytes: Buffer): Promise<Logo> {
  if (/\.png$/i.test(name)) return readPng(bytes);
  const { Resvg } = await import('@resvg/resvg-js');
  let drawn;
  try {
    drawn = new Resvg(bytes, { font: { loadSystemFonts: false } });
  } catch (error) {
    throw new Error(`must be an SVG picture (${(error as Error).message})`, { cause: error });
  }
  if (!drawn.getBBox()) throw new Error('must be an SVG picture with visible content; convert text to paths');
  // As resvg understands it: scripts, links and references to other files are gone.
  return {
    bytes: Buffer.from(drawn.toString()),
    type: 'image/svg+xml',
    width: drawn.width,
    height: drawn.height,
  };
}

function readPng(bytes: Buffer): Logo {
  const isPng = bytes.subarray(0, 8).toString('hex') === PNG_SIGNATURE && bytes.length > 24;
  const [width, height] = isPng ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : [0, 0];
  if (width < 1 || height < 1 || width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS)
    throw new Error(`must be a PNG picture of at most ${MAX_SIDE_PIXELS} × ${MAX_SIDE_PIXELS} pixels`);
  return { bytes, type: 'image/png', width, height };
}

/**
 * Re-encodes a PNG logo with at most `MAX_STORED_PIXELS` a side, so that drawing icons from it is cheap.
 * @throws if the picture is damaged
 */
export async function shrinkLogo(logo: Logo): Promise<Logo> {
  if (logo.type !== 'image/png') return logo;
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(logo.bytes, { failOn: 'error', limitInputPixels: MAX_SIDE_PIXELS ** 2 })
    .resize({ width: MAX_STORED_PIXELS, height: MAX_STORED_PIXELS, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, type: 'image/png', width: info.width, height: info.height };
}

/**
 * Draws the picture as a PNG of `width` × `height` pixels, scaled to `part`, on `ground` if icons need one.
 */
async function draw(logo: Logo, width: number, height: number, part = 1, ground?: string): Promise<Buffer> {
  const inner: Element = x('image', {
    href: `data:${logo.type};base64,${logo.bytes.toString('base64')}`,
    x: (width * (1 - part)) / 2,
    y: (height * (1 - part)) / 2,
    width: width * part,
    height: height * part,
  });
  const paper = ground ? [x('rect', { width, height, fill: ground })] : [];
  const picture = x('svg', { xmlns: SVG, width, height }, [...paper, inner]);
  const { renderAsync } = await import('@resvg/resvg-js');
  return (await renderAsync(toXml(picture), { font: { loadSystemFonts: false } })).asPng();
}

const onPaper = (logo: Logo, size: number) => draw(logo, size, size, SAFE, palette.light.paper);

export const icons: Record<string, { type: string; make(logo: Logo): Promise<Buffer> }> = {
  '/favicon.ico': { type: 'image/x-icon', make: drawIco },
  '/apple-touch-icon.png': { type: 'image/png', make: (logo) => onPaper(logo, 180) },
  '/icon-192.png': { type: 'image/png', make: (logo) => draw(logo, 192, 192) },
  '/icon-512.png': { type: 'image/png', make: (logo) => draw(logo, 512, 512) },
  '/icon-maskable.png': { type: 'image/png', make: (logo) => onPaper(logo, 512) },
};

export const drawLogo = (logo: Logo, { width, height }: { width: number; height: number }): Promise<Buffer> =>
  draw(logo, width * 3, height * 3);

async function drawIco(logo: Logo): Promise<Buffer> {
  const pictures = await Promise.all(ICO_SIZES.map((size) => draw(logo, size, size)));
  const directory = Buffer.alloc(6 + 16 * pictures.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [index, { length }] of pictures.entries()) {
    const at = 6 + 16 * index;
    directory.writeUInt8(ICO_SIZES[index] ?? 0, at);
    directory.writeUInt8(ICO_SIZES[index] ?? 0, at + 1);
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([directory, ...pictures]);
}
