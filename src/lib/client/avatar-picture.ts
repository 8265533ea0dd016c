import { FORMAT_BYTES, formatOf, PICTURES, typesOf } from '../contract/rules/pictures.ts';
import { CallError } from './call-error.ts';

/** Picture chosen by the reader: `source` in pixels for cropping, `url` for display. */
export interface ChosenPicture {
  source: HTMLCanvasElement;
  url: string;
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const AVATAR_TYPES = typesOf('avatar').join();
/** Keeps a quarter of the picture sharp. */
const MAX_SIDE_PIXELS = 2048;
/** Twice the size that the server stores. */
const AVATAR_SIDE_PIXELS = 512;

/**
 * Decodes a PNG, JPEG or WebP upright and scales it down to the maximum. The server checks the first bytes
 * too.
 * @throws CallError with the server's message for other formats, or if it cannot be decoded
 */
export async function readPicture(file: Blob): Promise<ChosenPicture> {
  const start = await file
    .slice(0, FORMAT_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const format = formatOf(new Uint8Array(start));
  if (!PICTURES.avatar.formats.some((known) => known === format)) throw unreadable();
  const bitmap = await createImageBitmap(file).catch(() => {
    throw unreadable();
  });
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(bitmap.width, bitmap.height));
  const source = draw(bitmap, whole(bitmap), {
    width: Math.max(1, Math.round(bitmap.width * scale)),
    height: Math.max(1, Math.round(bitmap.height * scale)),
  });
  bitmap.close();
  return { source, url: encode(source) };
}

/** Crops `area`, a square, to the data URL of an avatar, far below the contract's limit. */
export function cutAvatar({ source }: ChosenPicture, area: Area): string {
  return encode(draw(source, area, { width: AVATAR_SIDE_PIXELS, height: AVATAR_SIDE_PIXELS }));
}

const unreadable = () => new CallError('refused', PICTURES.avatar.unreadable);

const whole = ({ width, height }: ImageBitmap): Area => ({ x: 0, y: 0, width, height });

function draw(
  from: CanvasImageSource,
  { x, y, width, height }: Area,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d');
  if (!context) throw unreadable();
  context.imageSmoothingQuality = 'high';
  context.drawImage(from, x, y, width, height, 0, 0, size.width, size.height);
  return canvas;
}

/** WebP, or PNG in browsers that cannot encode WebP. */
const encode = (canvas: HTMLCanvasElement) => canvas.toDataURL('image/webp', 0.92);
