import { FORMAT_BYTES, formatOf, PICTURES, typesOf } from '../contract/pictures.ts';
import { CallError } from './call-error.ts';

/** A picture the reader chose: `source` in pixels to cut from, `url` to show. */
export interface ChosenPicture {
  source: HTMLCanvasElement;
  url: string;
}

/** A rectangle in the pixels of a picture. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** For `accept` of a file field. */
export const AVATAR_TYPES = typesOf('avatar').join();
/** Sharp still when a quarter of it is cut out. */
const LONGEST_SIDE = 2048;
/** Twice what the server keeps. */
const AVATAR_SIDE = 512;

/**
 * Reads a PNG, JPEG or WebP, upright and not too large; the server looks at its first bytes as well.
 * @throws CallError with the server's sentence when it is none of these or cannot be decoded
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
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const source = draw(bitmap, whole(bitmap), {
    width: Math.max(1, Math.round(bitmap.width * scale)),
    height: Math.max(1, Math.round(bitmap.height * scale)),
  });
  bitmap.close();
  return { source, url: encode(source) };
}

/** The square `area` of a picture as the data URL of an avatar, far below the contract's bound. */
export function cutAvatar({ source }: ChosenPicture, area: Area): string {
  return encode(draw(source, area, { width: AVATAR_SIDE, height: AVATAR_SIDE }));
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

/** WebP, or PNG from browsers that cannot write it. */
const encode = (canvas: HTMLCanvasElement) => canvas.toDataURL('image/webp', 0.92);
