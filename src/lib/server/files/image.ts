import type { Sharp, SharpOptions } from 'sharp';
import { isRefusal, refuse } from '../../contract/errors.ts';
import {
  formatOf,
  PICTURES,
  type PictureFormat,
  type PictureKind,
  unreadableText,
} from '../../contract/pictures.ts';
import type { PictureVariant } from '../../contract/picture-variants.ts';
import { toReadable, type ReadablePicture } from './foreign-picture.ts';
import { MAX_PIXELS, pixelsOf, requireBounds, type OpenPicture } from './picture-bounds.ts';
import { readPictureSize } from './picture-header.ts';
import { createPictureLanes, type PictureAccount } from './picture-lanes.ts';

/** A picture as it is stored: decoded and encoded again, turned upright, without metadata. */
export interface Picture {
  bytes: Buffer;
  extension: 'png' | 'jpg' | 'webp';
  /** Pixels, of one frame where it has several. */
  width: number;
  height: number;
}

const AVATAR_PX = 256;
const IMAGE_WIDTH_PX = 2560;
const LONGEST_WORK_S = 20;
/** Choosing 256 colours for noise takes half a second for a million pixels, whatever the time limit. */
const MAX_PALETTE_PIXELS = 8_000_000;
const PALETTE_EFFORT = 4;
/** Loaders of libvips that may run (SECURITY.md 5). */
const LOADERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`);
const READING: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS };

export type Images = ReturnType<typeof createImages>;

type Work = (open: OpenPicture, format: PictureFormat) => Promise<Picture>;

const NOBODY: PictureAccount = { id: '' };

/**
 * Reads the formats of `PICTURES` alone (SECURITY.md 5). The first picture loads libvips.
 * @param now milliseconds
 */
export function createImages(now: () => number = () => performance.now()) {
  const lanes = createPictureLanes(now);
  let loading: Promise<OpenPicture> | undefined;
  const load = (): Promise<OpenPicture> => (loading ??= loadLocked());
  /** Refuses what the header announces to be too large before it takes a place. */
  const process = async (kind: PictureKind, bytes: Uint8Array, account: PictureAccount, work: Work) => {
    const unreadable = unreadableText(kind, bytes);
    const format = PICTURES[kind].formats.find((known) => known === formatOf(bytes));
    const size = format ? readPictureSize(bytes, format) : null;
    if (!format || !size) return refuse('IMAGE_UNREADABLE', { text: unreadable });
    requireBounds(size);
    return lanes.run(pixelsOf(size), account, async () => {
      const open = await load();
      return readable(() => work(open, format), unreadable);
    });
  };

  return {
    /** A picture in another format, as one that `toImage` reads. Refuses IMAGE_UNREADABLE, UNAVAILABLE. */
    toReadable: (bytes: Uint8Array, account = NOBODY): Promise<ReadablePicture> =>
      lanes.run(MAX_PIXELS, account, () => toReadable(bytes, load)),
    /** 256 × 256 WebP, cut to the middle. Refuses IMAGE_UNREADABLE, UNAVAILABLE. */
    toAvatar: (bytes: Uint8Array, account = NOBODY): Promise<Picture> =>
      process('avatar', bytes, account, async (open) => {
        const picture = open(bytes, READING).autoOrient().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' });
        return { ...(await encode(picture.webp({ quality: 86 }))), extension: 'webp' };
      }),
    /** At most 2560 wide, in its format, or WebP for GIF and AVIF; animations stay. Refuses as `toAvatar`. */
    toImage: (bytes: Uint8Array, account = NOBODY): Promise<Picture> =>
      process('image', bytes, account, (open, format) => toImage(open, bytes, format)),
    /**
     * A smaller copy of a picture as `toImage` stores it; null where it would move no more or be no smaller.
     * In no queue; throws what libvips throws.
     */
    toVariant: async (bytes: Uint8Array, variant: PictureVariant): Promise<Buffer | null> =>
      toVariant(await load(), bytes, variant),
  };
}

/** Loads libvips, locked down in this process to `LOADERS` and to one thread a picture. */
async function loadLocked(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function toImage(open: OpenPicture, bytes: Uint8Array, format: PictureFormat): Promise<Picture> {
  const reading = { ...READING, animated: format === 'webp' || format === 'gif' };
  const { width, height, pages = 1, pageHeight = height, isPalette } = await open(bytes, reading).metadata();
  // The decoder's own opinion, where a file says one thing here and another there.
  requireBounds({ width, height: pageHeight, frames: pages, scans: 1 });
  const picture = open(bytes, reading)
    .autoOrient()
    .resize({ width: IMAGE_WIDTH_PX, withoutEnlargement: true });
  if (format === 'jpeg') {
    return { ...(await encode(picture.jpeg({ quality: 84, progressive: true }))), extension: 'jpg' };
  }
  // Of an animation as GIF this takes half the bytes and time, and writing AVIF takes minutes of a core.
  if (format !== 'png') return { ...(await encode(picture.webp({ quality: 82 }))), extension: 'webp' };
  // A palette of up to 256 colours stays one: written out in full colour such pictures grow several times.
  const drawn = width * height * Math.min(1, IMAGE_WIDTH_PX / width) ** 2;
  const palette = isPalette && drawn <= MAX_PALETTE_PIXELS ? { palette: true, effort: PALETTE_EFFORT } : {};
  return { ...(await encode(picture.png({ compressionLevel: 9, ...palette }))), extension: 'png' };
}

async function toVariant(
  open: OpenPicture,
  bytes: Uint8Array,
  { width, format }: PictureVariant,
): Promise<Buffer | null> {
  const { pages = 1 } = await open(bytes, READING).metadata();
  if (pages > 1) return null;
  const sized = open(bytes, READING).resize({ width, withoutEnlargement: true });
  const coded = format === 'avif' ? sized.avif({ quality: 55, effort: 3 }) : sized.webp({ quality: 80 });
  const result = await coded.timeout({ seconds: LONGEST_WORK_S }).toBuffer();
  return result.length < bytes.length ? result : null;
}

async function encode(picture: Sharp): Promise<Omit<Picture, 'extension'>> {
  const { data, info } = await picture
    .timeout({ seconds: LONGEST_WORK_S })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** Whatever libvips throws over an uploaded picture says that the picture is no good. */
async function readable(work: () => Promise<Picture>, unreadable: string): Promise<Picture> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const isHuge = error instanceof Error && error.message.includes('pixel limit');
    return refuse('IMAGE_UNREADABLE', { text: isHuge ? '图片的像素过多，请缩小后再上传' : unreadable });
  }
}
