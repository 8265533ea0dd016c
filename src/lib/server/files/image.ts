import { availableParallelism } from 'node:os';
import type { Sharp, SharpOptions } from 'sharp';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { createQueue } from '../queue.ts';

/** A picture as it is stored: decoded and encoded again, turned upright, without metadata. */
export interface Picture {
  bytes: Buffer;
  extension: 'png' | 'jpg' | 'webp';
  /** Pixels, of one frame where it has several. */
  width: number;
  height: number;
}

export interface Images {
  /** 256 × 256 WebP, cut to the middle; `owner` as in `Queue`. Refuses with IMAGE_UNREADABLE, UNAVAILABLE. */
  toAvatar(bytes: Uint8Array, owner?: string): Promise<Picture>;
  /**
   * The same format, at most 2560 wide; an animated WebP stays animated. Refuses with IMAGE_UNREADABLE,
   * UNAVAILABLE.
   */
  toImage(bytes: Uint8Array, owner?: string): Promise<Picture>;
}

type Format = 'png' | 'jpeg' | 'webp';

const AVATAR_PX = 256;
const IMAGE_WIDTH_PX = 2560;
/** All frames together. */
const MOST_PIXELS = 50_000_000;
const LONGEST_WORK_S = 20;
/** Accounts take turns. More pictures than that are seldom pasted at once. */
const LIMITS = { waiting: 16, waitingEach: 12 };
/** One core is left to readers. */
const READ_AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 2));
const READING: SharpOptions = { failOn: 'error', limitInputPixels: MOST_PIXELS };

type Work = (open: OpenPicture, format: Format) => Promise<Picture>;
type OpenPicture = typeof import('sharp').default;

/**
 * Reads PNG, JPEG and WebP, nothing else (SECURITY.md 5), `running` at once. The first picture loads libvips.
 */
export function createImages({ running = READ_AT_ONCE } = {}): Images {
  const queue = createQueue({ running, ...LIMITS });
  let loading: Promise<OpenPicture> | undefined;
  const process = (bytes: Uint8Array, owner: string | undefined, work: Work) =>
    queue.run(async () => {
      const open = await (loading ??= loadLocked());
      return readable(() => work(open, formatOf(bytes) ?? refuse('IMAGE_UNREADABLE')));
    }, owner);

  return {
    toAvatar: (bytes, owner) =>
      process(bytes, owner, async (open) => {
        const picture = open(bytes, READING).autoOrient().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' });
        return { ...(await encode(picture.webp({ quality: 86 }))), extension: 'webp' };
      }),
    toImage: (bytes, owner) => process(bytes, owner, (open, format) => toImage(open, bytes, format)),
  };
}

/** Loads libvips, locked down in this process to the loaders of three formats and to one thread a picture. */
async function loadLocked(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function toImage(open: OpenPicture, bytes: Uint8Array, format: Format): Promise<Picture> {
  const picture = open(bytes, { ...READING, animated: format === 'webp' })
    .autoOrient()
    .resize({ width: IMAGE_WIDTH_PX, withoutEnlargement: true });
  if (format === 'jpeg') {
    return { ...(await encode(picture.jpeg({ quality: 84, progressive: true }))), extension: 'jpg' };
  }
  if (format === 'webp') return { ...(await encode(picture.webp({ quality: 82 }))), extension: 'webp' };
  // A palette of up to 256 colours stays one: written out in full colour such pictures grow several times.
  const { isPalette } = await open(bytes, READING).metadata();
  return { ...(await encode(picture.png({ compressionLevel: 9, palette: isPalette }))), extension: 'png' };
}

async function encode(picture: Sharp): Promise<Omit<Picture, 'extension'>> {
  const { data, info } = await picture
    .timeout({ seconds: LONGEST_WORK_S })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** Whatever libvips throws over an uploaded picture says that the picture is no good. */
async function readable(work: () => Promise<Picture>): Promise<Picture> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const isHuge = error instanceof Error && error.message.includes('pixel limit');
    return refuse('IMAGE_UNREADABLE', isHuge ? { text: '图片的像素过多，请缩小后再上传' } : undefined);
  }
}

/** What the first bytes say, whatever the name or declared type. */
function formatOf(bytes: Uint8Array): Format | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'webp';
  return null;
}
