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

/** The copy of picture `name` that an address asks for, or null for the picture itself. */
export function readVariant(name: string, asked: string | undefined): PictureVariant | null {
  const [, width, format] = WRITTEN.exec(asked ?? '') ?? [];
  return variantsOf(name).find((each) => String(each.width) === width && each.format === format) ?? null;
}
