import { sizeIn } from './pictures.ts';

/** Re-encoded copy of an uploaded picture with fewer bytes, usually of a smaller width. */
export interface PictureVariant {
  width: number;
  format: PictureVariantFormat;
}
export type PictureVariantFormat = (typeof FORMATS)[number];

/** Smallest files first. */
const FORMATS = ['avif', 'webp'] as const;
/** For a phone's column or a card, a desktop's column, and both on high-density screens. */
const WIDTHS = [480, 960, 1440];
/** Encoding a larger picture, such as a long screenshot, takes seconds of a CPU core. */
const MAX_ORIGINAL_PIXELS = 10_000_000;
/** Uploaded pictures whose file name includes the size in pixels; names of older ones do not. */
const UPLOADED = /^\/api\/file\/([0-9a-f]{32}-[1-9]\d{0,4}x[1-9]\d{0,4}\.(?:png|jpg|webp))$/;
/** `sizes` for pictures: the maximum width of a column, minus a phone's padding. */
export const COLUMN_SIZES = '(min-width: 688px) 648px, calc(100vw - 40px)';
const WRITTEN = /^(\d{3,4})\.(avif|webp)$/;

/**
 * Returns the widths of a picture's variants. The picture's own width is included if no variant is wider.
 * Empty if it is small, too large, or its name has no size.
 */
export function variantWidths(name: string): number[] {
  const { width, height } = sizeIn(name) ?? { width: 0, height: 0 };
  const smaller = WIDTHS.filter((each) => each < width);
  if (smaller.length === 0 || width * height > MAX_ORIGINAL_PIXELS) return [];
  return smaller.length < WIDTHS.length ? [...smaller, width] : smaller;
}

export const variantsOf = (name: string): PictureVariant[] =>
  variantWidths(name).flatMap((width) => FORMATS.map((format) => ({ width, format })));

/** Returns the address of a variant; servers without variants answer it with the picture itself. */
export const variantUrl = (url: string, { width, format }: PictureVariant): string =>
  `${url}?v=${width}.${format}`;

/** Returns the file name of the uploaded picture at `url` if it includes a size, else ''. */
export const sizedName = (url: string): string => UPLOADED.exec(url)?.[1] ?? '';

/** Returns the `srcset` of a picture's variants in a format; '' without variants. */
export const variantSet = (url: string, format: PictureVariantFormat): string =>
  variantWidths(sizedName(url))
    .map((width) => `${variantUrl(url, { width, format })} ${width}w`)
    .join(', ');

/** Returns the variant that a request names, or null for the picture itself. */
export function readVariant(name: string, asked: string | undefined): PictureVariant | null {
  const [, width, format] = WRITTEN.exec(asked ?? '') ?? [];
  return variantsOf(name).find((each) => String(each.width) === width && each.format === format) ?? null;
}
