import type { Sharp, SharpOptions } from 'sharp';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import {
  formatOf,
  PICTURES,
  type PictureFormat,
  type PictureKind,
  unreadableText,
} from '../../contract/rules/pictures.ts';
import type { PictureVariant } from '../../contract/rules/picture-variants.ts';
import { CHANNELS, createHeicDecoder, type Pixels } from './heic.ts';
import { toReadable, type ReadablePicture } from './foreign-picture.ts';
import {
  MAX_GIF_PIXELS,
  MAX_HEIC_PIXELS,
  MAX_PIXELS,
  pixelsOf,
  requireBounds,
  tooSlow,
  type OpenPicture,
} from './picture-bounds.ts';
import { readPictureSize, type PictureSize } from './picture-header.ts';
import { createPictureLanes, type PictureAccount } from './picture-lanes.ts';

/** A picture as stored: re-encoded, rotated upright, without metadata. */
export interface Picture {
  bytes: Buffer;
  extension: 'png' | 'jpg' | 'webp';
  width: number;
  height: number;
}

const AVATAR_PX = 256;
const IMAGE_WIDTH_PX = 2560;
const WORK_TIMEOUT_S = 20;
const JPEG = { quality: 84, progressive: true };
/** Choosing 256 colours for noise takes half a second per million pixels and ignores the time limit. */
const MAX_PALETTE_PIXELS = 8_000_000;
const PALETTE_EFFORT = 4;
/** Allowed libvips loaders (SECURITY.md 5). */
const LOADERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`);
const READING: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS };

export type Images = ReturnType<typeof createImages>;

type Work = (open: OpenPicture, format: PictureFormat) => Promise<Picture>;

const mostPixelsOf = (format: PictureFormat): number =>
  format === 'gif' ? MAX_GIF_PIXELS : format === 'heic' ? MAX_HEIC_PIXELS : MAX_PIXELS;

const NOBODY: PictureAccount = { id: '' };

/**
 * Processes only the formats of `PICTURES` (SECURITY.md 5). libvips is loaded on first use.
 * @param now milliseconds
 * @param timeoutS seconds that encoding a picture may take
 */
export function createImages(now: () => number = () => performance.now(), timeoutS = WORK_TIMEOUT_S) {
  const lanes = createPictureLanes(now);
  const decodeHeic = createHeicDecoder(timeoutS);
  let loading: Promise<OpenPicture> | undefined;
  const load = (): Promise<OpenPicture> => (loading ??= loadLocked());
  const process = async (kind: PictureKind, bytes: Uint8Array, account: PictureAccount, work: Work) => {
    const unreadable = unreadableText(kind, bytes);
    const format = PICTURES[kind].formats.find((known) => known === formatOf(bytes));
    const size = format ? readPictureSize(bytes, format) : null;
    if (!format || !size) return refuse('IMAGE_UNREADABLE', { text: unreadable });
    requireBounds(size, mostPixelsOf(format));
    return lanes.run(pixelsOf(size), account, async () => {
      const open = await load();
      return readable(() => work(open, format), unreadable, timeoutS);
    });
  };

  return {
    /** Converts a picture to a format that `toImage` reads. Refuses with IMAGE_UNREADABLE, UNAVAILABLE. */
    toReadable: (bytes: Uint8Array, account = NOBODY): Promise<ReadablePicture> =>
      formatOf(bytes) === null
        ? lanes.run(MAX_PIXELS, account, () => toReadable(bytes, load))
        : Promise.resolve({ bytes, losses: [] }),
    /** Returns a 256 × 256 WebP, cropped to the centre. Refuses with IMAGE_UNREADABLE, UNAVAILABLE. */
    toAvatar: (bytes: Uint8Array, account = NOBODY): Promise<Picture> =>
      process('avatar', bytes, account, async (open) => {
        const picture = open(bytes, READING).autoOrient().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' });
        return encode(picture.webp({ quality: 86 }), 'webp', timeoutS);
      }),
    /**
     * Returns a picture at most 2560 wide, in its format, or WebP for GIF and AVIF, JPEG for HEIC; keeps
     * animations. Refuses like `toAvatar`.
     */
    toImage: (bytes: Uint8Array, account = NOBODY): Promise<Picture> =>
      process('image', bytes, account, async (open, format) =>
        format === 'heic'
          ? toJpeg(open, await decodeHeic(bytes, account.id), timeoutS)
          : toImage(open, bytes, format, timeoutS),
      ),
    /**
     * Returns a smaller copy of a picture stored by `toImage`; null when it would lose its animation or be no
     * smaller. Does not queue; throws libvips errors.
     */
    toVariant: async (bytes: Uint8Array, variant: PictureVariant): Promise<Buffer | null> =>
      toVariant(await load(), bytes, variant),
  };
}

/** Loads libvips restricted to `LOADERS` and to one thread per picture, process-wide. */
async function loadLocked(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function toImage(
  open: OpenPicture,
  bytes: Uint8Array,
  format: PictureFormat,
  timeoutS: number,
): Promise<Picture> {
  const limitInputPixels = mostPixelsOf(format);
  const reading = { ...READING, limitInputPixels, animated: format === 'webp' || format === 'gif' };
  const { width, height, pages = 1, pageHeight = height, isPalette } = await open(bytes, reading).metadata();
  // The decoder's values may differ from those of `readPictureSize`.
  const size = { width, height: pageHeight, frames: pages, scans: 1 };
  requireBounds(size, limitInputPixels);
  const picture = open(bytes, reading)
    .autoOrient()
    .resize({ width: widthWithin(size), withoutEnlargement: true });
  if (format === 'jpeg') return encode(picture.jpeg(JPEG), 'jpg', timeoutS);
  // WebP takes half the bytes and time of an animated GIF, and encoding AVIF takes minutes of a core.
  if (format !== 'png') return encode(picture.webp({ quality: 82 }), 'webp', timeoutS);
  // Keeps palettes of up to 256 colours: in full colour, such pictures grow several times.
  const drawn = width * height * Math.min(1, IMAGE_WIDTH_PX / width) ** 2;
  const palette = isPalette && drawn <= MAX_PALETTE_PIXELS ? { palette: true, effort: PALETTE_EFFORT } : {};
  return encode(picture.png({ compressionLevel: 9, ...palette }), 'png', timeoutS);
}

function toJpeg(open: OpenPicture, { data, width, height }: Pixels, timeoutS: number): Promise<Picture> {
  const picture = open(data, { raw: { width, height, channels: CHANNELS } })
    .resize({ width: IMAGE_WIDTH_PX, withoutEnlargement: true })
    .jpeg(JPEG);
  return encode(picture, 'jpg', timeoutS);
}

/** Returns the width of the result: its frames have at most `MAX_PIXELS` in all, so it can be read again. */
function widthWithin(size: PictureSize): number {
  const pixels = pixelsOf(size);
  if (pixels <= MAX_PIXELS) return IMAGE_WIDTH_PX;
  // A frame's height is rounded up to half a row, so 2 % are left.
  const width = Math.floor(size.width * Math.sqrt((0.98 * MAX_PIXELS) / pixels));
  return Math.max(1, Math.min(IMAGE_WIDTH_PX, width));
}

async function toVariant(open: OpenPicture, bytes: Uint8Array, { width, format }: PictureVariant) {
  const { pages = 1 } = await open(bytes, READING).metadata();
  if (pages > 1) return null;
  const sized = open(bytes, READING).resize({ width, withoutEnlargement: true });
  const coded = format === 'avif' ? sized.avif({ quality: 55, effort: 3 }) : sized.webp({ quality: 80 });
  const result = await coded.timeout({ seconds: WORK_TIMEOUT_S }).toBuffer();
  return result.length < bytes.length ? result : null;
}

async function encode(picture: Sharp, extension: Picture['extension'], timeoutS: number): Promise<Picture> {
  const { data, info } = await picture.timeout({ seconds: timeoutS }).toBuffer({ resolveWithObject: true });
  return { bytes: data, extension, width: info.width, height: info.pageHeight ?? info.height };
}

/** Any libvips error on an uploaded picture means that it is invalid, except for the time limit. */
async function readable(work: () => Promise<Picture>, unreadable: string, timeoutS: number) {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const message = error instanceof Error ? error.message : '';
    if (message.startsWith('timeout:')) throw tooSlow(timeoutS);
    const isHuge = message.includes('pixel limit');
    return refuse('IMAGE_UNREADABLE', { text: isHuge ? '图片的像素过多，请缩小后再上传' : unreadable });
  }
}
