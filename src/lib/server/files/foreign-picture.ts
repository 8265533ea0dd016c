import { refuse } from '../../contract/rules/errors.ts';
import { createReusedThread } from '../jobs/reused-thread.ts';
import { requireBounds, type OpenPicture } from './picture-bounds.ts';
import { readPictureSize } from './picture-header.ts';
import { drawSvg, isSvg } from './svg.ts';

export interface ReadablePicture {
  bytes: Uint8Array;
  /** What the conversion lost: Chinese sentences without a full stop. */
  losses: string[];
}

const IDLE_TIMEOUT_MS = 2_000;
const DECODE_TIMEOUT_MS = 20_000;
const UNREADABLE = '无法识别的图片，支持 PNG、JPEG、WebP、GIF、AVIF、BMP 和 SVG';

/**
 * Converts a picture in a format that `formatOf` does not know: decodes BMP and draws SVG, both to PNG.
 * Refuses with IMAGE_UNREADABLE.
 * @param load returns the locked-down sharp
 */
export async function toReadable(
  bytes: Uint8Array,
  load: () => Promise<OpenPicture>,
): Promise<ReadablePicture> {
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return { bytes: await bmpToPng(bytes, load), losses: [] };
  if (isSvg(bytes)) return drawSvg(bytes);
  return refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
}

/** Decodes bitmaps in a thread: one of 16 MB takes a quarter of a second. Its memory returns when it ends. */
const bmpDecoder = createReusedThread<{ bytes: Uint8Array }, { data: Uint8Array }>(
  new URL('./bmp-worker.ts', import.meta.url),
  { idleMs: IDLE_TIMEOUT_MS, startMs: DECODE_TIMEOUT_MS },
);

async function bmpToPng(bytes: Uint8Array, load: () => Promise<OpenPicture>): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = readPictureSize(file, 'bmp') ?? refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
  requireBounds(size);
  const { width, height } = size;
  try {
    const { data } = await bmpDecoder.ask({ bytes });
    const sharp = await load();
    return await sharp(data, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 3 })
      .toBuffer();
  } catch {
    return refuse('IMAGE_UNREADABLE', { text: UNREADABLE });
  }
}
