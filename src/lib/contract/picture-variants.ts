import { sizeIn } from './pictures.ts';

/** A copy of an uploaded picture in fewer bytes, which the server makes; mostly a smaller one. */
export interface PictureVariant {
  /** Pixels. */
  width: number;
  format: PictureVariantFormat;
}
export type PictureVariantFormat = (typeof FORMATS)[number];

/** The smaller first. */
const FORMATS = ['avif', 'webp'] as const;
/** A phone's column and a card, the column of a desktop, and both on finer screens. */
const WIDTHS = [480, 960, 1440];
/** Of a larger picture, a long screenshot mostly, a copy takes seconds of a core. */
const MOST_PIXELS = 10_000_000;
/** Pictures of this site: the name of the file tells its size in pixels. Older ones do not. */
const UPLOADED = /^\/api\/file\/([0-9a-f]{32}-[1-9]\d{0,4}x[1-9]\d{0,4}\.(?:png|jpg|webp))$/;
/** How wide pages show a picture at most: a column, but for the padding of a phone. */
export const COLUMN_SIZES = '(min-width: 688px) 648px, calc(100vw - 40px)';
const WRITTEN = /^(\d{3,4})\.(avif|webp)$/;

/**
 * The widths of the copies of the picture with that name, its own among them if no copy is wider; none where
 * it is small, or where the name tells no size.
 */
export function variantWidths(name: string): number[] {
  const { width, height } = sizeIn(name) ?? { width: 0, height: 0 };
  const smaller = WIDTHS.filter((each) => each < width);
  if (smaller.length === 0 || width * height > MOST_PIXELS) return [];
  return smaller.length < WIDTHS.length ? [...smaller, width] : smaller;
}

/** All copies of the picture with that name. */
export const variantsOf = (name: string): PictureVariant[] =>
  variantWidths(name).flatMap((width) => FORMATS.map((format) => ({ width, format })));

/** The address of a copy: that of the picture for servers that make none. */
export const variantUrl = (url: string, { width, format }: PictureVariant): string =>
  `${url}?v=${width}.${format}`;

/** The name of the uploaded picture at `url`, where it tells its size, or the empty string. */
export const sizedName = (url: string): string => UPLOADED.exec(url)?.[1] ?? '';

/** The copies of the uploaded picture at `url` in a format, for `srcset`; '' where there are none. */
export const variantSet = (url: string, format: PictureVariantFormat): string =>
  variantWidths(sizedName(url))
    .map((width) => `${variantUrl(url, { width, format })} ${width}w`)
    .join(', ');

/** The copy of picture `name` that an address asks for, or null for the picture itself. */
export function readVariant(name: string, asked: string | undefined): PictureVariant | null {
  const [, width, format] = WRITTEN.exec(asked ?? '') ?? [];
  return variantsOf(name).find((each) => String(each.width) === width && each.format === format) ?? null;
}
