import { refusal, refuse } from '../../contract/rules/errors.ts';
import type { PictureSize } from './picture-header.ts';

export const MAX_PIXELS = 50_000_000;
/**
 * Pixels of all frames of a GIF, each of at most `MAX_PIXELS`. They are decoded one after another: 100
 * million take 3 s and 30 MB. The result has at most `MAX_PIXELS` in all.
 */
export const MAX_GIF_PIXELS = 400_000_000;
/** libvips works row by row: 1 × 49,000,000 pixels took more than 20 s, 7,000 × 7,000 half a second. */
export const MAX_SIDE_PIXELS = 16_384;
const MAX_FRAMES = 1_000;
/** Scans of a progressive JPEG, each of which covers the whole picture; encoders write about ten. */
const MAX_SCANS = 64;

export type OpenPicture = typeof import('sharp').default;

export const pixelsOf = ({ width, height, frames }: PictureSize): number => width * height * frames;

/** Pixels of a HEIC: decoding takes 24 bytes each, and phones take 12 or 24 million by default. */
export const MAX_HEIC_PIXELS = 25_000_000;

/**
 * Refuses with IMAGE_UNREADABLE a picture that is too large to decode, naming the limit.
 * @param most pixels of all frames
 */
export function requireBounds(size: PictureSize, most = MAX_PIXELS): void {
  const { width, height, frames, scans } = size;
  if (frames > MAX_FRAMES) refuseSize(`动图不能超过 ${MAX_FRAMES} 帧，请减少后再上传`);
  if (width * height > Math.min(MAX_PIXELS, most)) refuseSize('图片的像素过多，请缩小后再上传');
  if (pixelsOf(size) > most) refuseSize('动图各帧的像素加起来过多，请缩小尺寸或减少帧数后再上传');
  if (Math.max(width, height) > MAX_SIDE_PIXELS)
    refuseSize(`图片的宽和高都不能超过 ${MAX_SIDE_PIXELS} 像素，请裁剪后再上传`);
  if (scans > MAX_SCANS) refuseSize('这张渐进式 JPEG 的扫描次数过多，请另存后再上传');
}

/** Returns the refusal of a picture whose processing was stopped. */
export const tooSlow = (timeoutS: number): Error =>
  refusal('IMAGE_UNREADABLE', {
    text: `处理这张图片超过了 ${timeoutS} 秒，请缩小尺寸（动图也可减少帧数）后再上传`,
  });

function refuseSize(text: string): never {
  refuse('IMAGE_UNREADABLE', { text });
}
