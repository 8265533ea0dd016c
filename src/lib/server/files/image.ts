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
import { createQueue } from '../queue.ts';
import { toReadable, type ReadablePicture } from './foreign-picture.ts';
import { MOST_PIXELS, type OpenPicture } from './picture-bounds.ts';

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
/** Accounts take turns, one at a time: 50 million pixels are 200 MB decoded. Few are pasted at once. */
const LIMITS = { running: 1, waiting: 16, waitingEach: 12 };
/** Loaders of libvips that may run (SECURITY.md 5). */
const LOADERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`);
const READING: SharpOptions = { failOn: 'error', limitInputPixels: MOST_PIXELS };

export type Images = ReturnType<typeof createImages>;

type Work = (open: OpenPicture, format: PictureFormat) => Promise<Picture>;

/** Reads the formats of `PICTURES` alone (SECURITY.md 5), one at a time. The first loads libvips. */
export function createImages() {
  const queue = createQueue(LIMITS);
  let loading: Promise<OpenPicture> | undefined;
  const load = (): Promise<OpenPicture> => (loading ??= loadLocked());
  const process = (kind: PictureKind, bytes: Uint8Array, owner: string | undefined, work: Work) => {
    const { formats } = PICTURES[kind];
    const unreadable = unreadableText(kind, bytes);
    const format = formatOf(bytes);
    return queue.run(async () => {
      if (!formats.some((known) => known === format)) refuse('IMAGE_UNREADABLE', { text: unreadable });
      const open = await load();
      return readable(() => work(open, format as PictureFormat), unreadable);
    }, owner);
  };

  return {
    /** A picture in another format, as one that `toImage` reads. Refuses IMAGE_UNREADABLE, UNAVAILABLE. */
    toReadable: (bytes: Uint8Array, owner?: string): Promise<ReadablePicture> =>
      queue.run(() => toReadable(bytes, load), owner),
    /** 256 × 256 WebP, cut to the middle; `owner` as in `Queue`. Refuses IMAGE_UNREADABLE, UNAVAILABLE. */
    toAvatar: (bytes: Uint8Array, owner?: string): Promise<Picture> =>
      process('avatar', bytes, owner, async (open) => {
        const picture = open(bytes, READING).autoOrient().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' });
        return { ...(await encode(picture.webp({ quality: 86 }))), extension: 'webp' };
      }),
    /** At most 2560 wide, in its format, or WebP for GIF and AVIF; animations stay. Refuses as `toAvatar`. */
    toImage: (bytes: Uint8Array, owner?: string): Promise<Picture> =>
      process('image', bytes, owner, (open, format) => toImage(open, bytes, format)),
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
  const picture = open(bytes, { ...READING, animated: format === 'webp' || format === 'gif' })
    .autoOrient()
    .resize({ width: IMAGE_WIDTH_PX, withoutEnlargement: true });
  if (format === 'jpeg') {
    return { ...(await encode(picture.jpeg({ quality: 84, progressive: true }))), extension: 'jpg' };
  }
  // Of an animation as GIF this takes half the bytes and time, and writing AVIF takes minutes of a core.
  if (format !== 'png') return { ...(await encode(picture.webp({ quality: 82 }))), extension: 'webp' };
  // A palette of up to 256 colours stays one: written out in full colour such pictures grow several times.
  const { isPalette } = await open(bytes, READING).metadata();
  return { ...(await encode(picture.png({ compressionLevel: 9, palette: isPalette }))), extension: 'png' };
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
