import { refuse } from '../../contract/rules/errors.ts';
import { formatOf } from '../../contract/rules/pictures.ts';
import { requireBounds, type OpenPicture } from './picture-bounds.ts';
import { readPictureSize } from './picture-header.ts';
import { drawSvg, isSvg } from './svg.ts';

export interface ReadablePicture {
  bytes: Uint8Array;
  /** What the conversion lost: Chinese sentences without a full stop. */
  losses: string[];
}

const UNREADABLE = '无法识别的图片，支持 PNG、JPEG、WebP、GIF、AVIF、BMP 和 SVG';

/**
 * Converts a picture of another blog to a supported format: decodes BMP and draws SVG, both to PNG. Returns
 * supported formats, detected from their bytes, unchanged. Refuses with IMAGE_UNREADABLE.
 * @param load returns the locked-down sharp
 */
export async function toReadable(
  bytes: Uint8Array,
  load: () => Promise<OpenPicture>,
): Promise<ReadablePicture> {
  if (formatOf(bytes) !== null) return { bytes, losses: [] };
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return { bytes: await bmpToPng(bytes, load), losses: [] };
  if (isSvg(bytes)) return drawSvg(bytes);
  return refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
}

async function bmpToPng(bytes: Uint8Array, load: () => Promise<OpenPicture>): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = readPictureSize(file, 'bmp') ?? refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
  requireBounds(size);
  const { width, height } = size;
  const { decode } = await import('bmp-ts');
  try {
    const { data, bitPP } = decode(file, { toRGBA: true });
    // In most 32-bit files the last eight bits are unused and zero.
    const isOpaque = bitPP !== 32 || !hasAlpha(data);
    if (isOpaque) for (let at = 3; at < data.length; at += 4) data[at] = 255;
    const sharp = await load();
    return await sharp(data, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 3 })
      .toBuffer();
  } catch {
    return refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
  }
}

function hasAlpha(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return true;
  return false;
}
