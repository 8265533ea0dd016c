import { renderAsync } from '@resvg/resvg-js';
import type { Element } from 'xast';
import { x } from 'xastscript';
import { toXml } from 'xast-util-to-xml';
import { palette } from '../../shared/palette.ts';
import { openFonts, type Fonts } from './fonts.ts';
import {
  breakLines,
  cutLong,
  ellipsisOf,
  inSight,
  piecesOf,
  widthOfLine,
  type Line,
  type Piece,
} from './lines.ts';

export interface PictureText {
  title: string;
  /** Author of the article, or the site's description; may be empty. */
  author: string;
  site: string;
  seal: Seal | null;
}

/** A character, or a logo as PNG in base64 with the proportions of `width` and `height`. */
export type Seal = { text: string } | { png: string; width: number; height: number };

/** Icon of a site without a logo; `text` is one character, or '' for a bare square. */
export interface IconMark {
  text: string;
  /** In vermilion like the seal, or in grey. */
  isSeal: boolean;
}

/** Size expected by chat apps and networks; https://ogp.me defines none. */
export const PICTURE = { width: 1200, height: 630 };
const MARGIN = 84;
const COLUMN = PICTURE.width - 2 * MARGIN;
const SIZES = [
  { size: 80, most: 2 },
  { size: 68, most: 3 },
  { size: 56, most: 4 },
];
const LEADING = 1.36;
const BOLD = 700;
const MEDIUM = 500;
const TITLE_MIDDLE = 306;
const SITE_BASELINE = 116;
const AUTHOR_BASELINE = PICTURE.height - 80;
const SEAL = 76;
const SEAL_CHARACTER = 50;
/** Larger than on a card: an icon is read at 16 pixels. */
const ICON_CHARACTER = 60;
const MAX_LOGO_WIDTH = 260;
const SVG = 'http://www.w3.org/2000/svg';
const { paper, ink, soft, line: hairline, vermilion, reverse } = palette.light;

export async function openPictures() {
  const fonts = await openFonts();
  /** Returns the picture of `drawing` as PNG, an icon as SVG. */
  return async (drawing: PictureText | IconMark): Promise<Uint8Array> => {
    if ('isSeal' in drawing) return Buffer.from(toXml(await drawIcon(drawing, fonts)));
    const picture = toXml(await draw(drawing, fonts));
    const { width, height } = PICTURE;
    const options = { font: { loadSystemFonts: false }, fitTo: { mode: 'width', value: width } } as const;
    const rendered = await renderAsync(picture, options);
    if (rendered.height !== height) throw new Error('the picture has an unexpected height');
    return rendered.asPng();
  };
}

async function draw({ title, author, site, seal }: PictureText, fonts: Fonts): Promise<Element> {
  const { size, lines } = await titleLines(title, site, fonts);
  const top = TITLE_MIDDLE - (lines.length * size * LEADING) / 2;
  const baseline = (index: number) => top + (index + 0.5) * size * LEADING + size * 0.36;
  const siteLine = await oneLine(site, { size: 30, width: COLUMN - 60 }, fonts);
  const { sealWidth, drawing } = await drawSeal(seal, fonts);
  const authorLine = await oneLine(author, { size: 32, width: COLUMN - sealWidth - 60 }, fonts);
  return x('svg', { xmlns: SVG, viewBox: `0 0 ${PICTURE.width} ${PICTURE.height}` }, [
    x('rect', { width: PICTURE.width, height: PICTURE.height, fill: paper }),
    x('rect', { x: 0, y: 0, width: 14, height: PICTURE.height, fill: ink }),
    x('rect', { x: MARGIN, y: SITE_BASELINE - 22, width: 22, height: 22, fill: vermilion }),
    ...paths(siteLine, { left: MARGIN + 40, baseline: SITE_BASELINE, size: 30, fill: soft }),
    ...lines.flatMap((line, index) =>
      paths(line, { left: MARGIN, baseline: baseline(index), size, fill: ink }),
    ),
    x('rect', {
      x: MARGIN,
      y: AUTHOR_BASELINE - 62,
      width: COLUMN - sealWidth - 40,
      height: 2,
      fill: hairline,
    }),
    ...paths(authorLine, { left: MARGIN, baseline: AUTHOR_BASELINE, size: 32, fill: soft }),
    ...drawing,
  ]);
}

/** Draws the seal into the lower right corner, if the site has one and a font has its character. */
async function drawSeal(seal: Seal | null, fonts: Fonts): Promise<{ sealWidth: number; drawing: Element[] }> {
  const line =
    seal && 'text' in seal
      ? await oneLine(seal.text, { size: SEAL_CHARACTER, width: SEAL }, fonts, BOLD)
      : [];
  const y = PICTURE.height - MARGIN - SEAL + 18;
  if (seal && 'png' in seal) {
    const scale = Math.min(SEAL / seal.height, MAX_LOGO_WIDTH / seal.width);
    const [width, height] = [seal.width * scale, seal.height * scale];
    const href = `data:image/png;base64,${seal.png}`;
    const left = PICTURE.width - MARGIN - width;
    return {
      sealWidth: width,
      drawing: [x('image', { href, x: left, y: y + (SEAL - height) / 2, width, height })],
    };
  }
  if (line.length === 0) return { sealWidth: 0, drawing: [] };
  const left = PICTURE.width - MARGIN - SEAL;
  return {
    sealWidth: SEAL,
    drawing: stamp(line, { left, top: y, size: SEAL_CHARACTER, ground: vermilion }),
  };
}

async function drawIcon({ text, isSeal }: IconMark, fonts: Fonts): Promise<Element> {
  const size = ICON_CHARACTER;
  const line = await oneLine(text, { size, width: SEAL }, fonts, BOLD);
  return x(
    'svg',
    { xmlns: SVG, width: SEAL, height: SEAL, viewBox: `0 0 ${SEAL} ${SEAL}` },
    stamp(line, { left: 0, top: 0, size, ground: isSeal ? vermilion : soft }),
  );
}

/** A square of `SEAL` with a character of `size` in its middle. */
const stamp = (
  line: Line,
  { left, top, size, ground }: { left: number; top: number; size: number; ground: string },
): Element[] => [
  x('rect', { x: left, y: top, width: SEAL, height: SEAL, rx: 4, fill: ground }),
  ...paths(line, {
    left: left + (SEAL - widthOfLine(line) * size) / 2,
    baseline: top + SEAL / 2 + size * 0.36,
    size,
    fill: reverse,
  }),
];

/**
 * Breaks the title in the largest size that fits. Uses the site's name if nothing of the title can be drawn.
 */
async function titleLines(title: string, site: string, fonts: Fonts) {
  const own = await piecesOf(title, fonts, BOLD);
  const pieces = own.length > 0 ? own : await piecesOf(site, fonts, BOLD);
  const ellipsis = await ellipsisOf(fonts, BOLD);
  for (const [index, { size, most }] of SIZES.entries()) {
    const width = COLUMN / size;
    const fitting = await cutLong(pieces, width, fonts, BOLD);
    const isCut = index === SIZES.length - 1;
    const lines = breakLines(fitting, { width, most, isCut, ellipsis });
    if (lines) return { size, lines };
  }
  throw new Error('the last size holds everything');
}

async function oneLine(
  text: string,
  { size, width }: { size: number; width: number },
  fonts: Fonts,
  weight = MEDIUM,
): Promise<Line> {
  const room = width / size;
  const pieces = await cutLong(await piecesOf(text, fonts, weight), room, fonts, weight);
  const ellipsis = await ellipsisOf(fonts, weight);
  const lines = breakLines(pieces, { width: room, most: 1, isCut: true, ellipsis });
  return lines?.[0] ?? [];
}

function paths(
  written: Line,
  { left, baseline, size, fill }: { left: number; baseline: number; size: number; fill: string },
): Element[] {
  const line = inSight(written);
  return line.flatMap(({ runs, gap }, index) => {
    const begin =
      left - hangOf(line[0]) * size + (widthOfLine(line.slice(0, index)) + (index === 0 ? 0 : gap)) * size;
    let before = 0;
    return runs.flatMap(({ glyphs, advance, unitsPerEm }) => {
      const scale = size / unitsPerEm;
      const at = begin + before * size;
      before += advance;
      return glyphs.flatMap((glyph) => {
        const [dx, dy] = [at + glyph.x * scale, baseline - glyph.y * scale];
        const transform = `translate(${round(dx)} ${round(dy)}) scale(${round(scale)} ${-round(scale)})`;
        return glyph.path === '' ? [] : [x('path', { d: glyph.path, fill, transform })];
      });
    });
  });
}

/**
 * Width in em of the blank half of an opening Chinese mark, which hangs into the margin at the start of a
 * line.
 */
const hangOf = (first: Piece | undefined): number => (/^[（「『【《〈“‘]/.test(first?.text ?? '') ? 0.5 : 0);

const round = (value: number) => Math.round(value * 10_000) / 10_000;
