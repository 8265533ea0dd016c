import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Blob, Buffer as Text, Face, Font, shape, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import decompress from 'woff2-encoder/decompress';

/** Text laid out as outlines in font units; `unitsPerEm` of them are one em. */
export interface Shaped {
  /** SVG paths with y upwards, and their positions. */
  glyphs: { path: string; x: number; y: number }[];
  /** In em. */
  advance: number;
  unitsPerEm: number;
}

interface Slice {
  file: string;
  ranges: [first: number, last: number][];
}

const PACKAGES = '@fontsource-variable';
/**
 * In the order of lookup: Chinese text, rarer characters, Latin letters with marks and Greek, Arabic,
 * pictographs (decision 0043). Each is one variable font, split into files by characters.
 */
const FAMILIES = [
  'noto-serif-sc',
  'noto-serif-tc',
  'eb-garamond',
  'noto-naskh-arabic',
  'noto-emoji',
] as const;
/** Chinese fonts have Greek letters only without accents: a word would mix two fonts. */
const GREEK = /\p{Script=Greek}/u;
/**
 * Source Han Serif for characters that only dictionaries, names and places have (all of 通用规范汉字表): 383
 * files of 19 MB, listed in a style sheet that is read when the others lack a Chinese character.
 */
const RARE = '@chinese-fonts/syst/dist/SourceHanSerifCN/result.css';
const HAN = /\p{Script=Han}/u;
const MISSING_GLYPH = 0;
/** Characters that are drawn with the preceding one, or not at all. */
const JOINERS = /\u200D|\p{Variation_Selector}/u;
const PICTOGRAPH = /^\p{Emoji_Presentation}|\uFE0F/u;

const resolve = createRequire(import.meta.url).resolve;

export async function openFonts() {
  const families = await Promise.all(FAMILIES.map(readFamily));
  let rare: Promise<Slice[]> | undefined;
  const faces = new Map<string, Promise<Face>>();
  const fonts = new Map<string, Font>();
  const known = new LRUCache<string, { file: string | null }>({ max: 20_000 });

  async function fontOf(file: string, weight: number): Promise<Font> {
    const key = `${file} ${weight}`;
    const opened = fonts.get(key);
    if (opened) return opened;
    const face = faces.get(file) ?? readFace(file);
    faces.set(file, face);
    const font = new Font(await face);
    font.setVariations([new Variation('wght', weight)]);
    fonts.set(key, font);
    return font;
  }

  function inOrder(grapheme: string): Slice[][] {
    if (PICTOGRAPH.test(grapheme)) return families.toReversed();
    const greek = GREEK.test(grapheme) ? families[FAMILIES.indexOf('eb-garamond')] : undefined;
    return greek ? [greek, ...families] : families;
  }

  async function findFile(grapheme: string): Promise<string | null> {
    const codes = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0);
    const visible = codes.filter((code) => !JOINERS.test(String.fromCodePoint(code)));
    const findIn = async (slices: Slice[]): Promise<string | null> => {
      for (const { file } of slices.filter((slice) => visible.every((code) => has(slice, code)))) {
        if (shapeWith(await fontOf(file, REGULAR), grapheme)) return file;
      }
      return null;
    };
    const found = await findIn(inOrder(grapheme).flat());
    return found === null && HAN.test(grapheme) ? findIn(await (rare ??= readSheet(RARE))) : found;
  }

  return {
    /**
     * Returns the file of a font with all of `grapheme`; null if no font has it.
     * @param grapheme one character as a reader sees it
     */
    async fileFor(grapheme: string): Promise<string | null> {
      const found = known.get(grapheme) ?? { file: await findFile(grapheme) };
      known.set(grapheme, found);
      return found.file;
    },

    /** Lays out `text` in the font of `file`; null if it lacks a glyph. */
    async shape(text: string, file: string, weight: number): Promise<Shaped | null> {
      return shapeWith(await fontOf(file, weight), text);
    },
  };
}

export type Fonts = Awaited<ReturnType<typeof openFonts>>;

const REGULAR = 400;

const has = ({ ranges }: Slice, code: number) =>
  ranges.some(([first, last]) => code >= first && code <= last);

const unicodeTable = (family: string) => resolve(`${PACKAGES}/${family}/unicode.json`);

/** Lists all files of packages that are read here, none of which is imported. */
export async function listFontFiles(): Promise<string[]> {
  const slices = await Promise.all([...FAMILIES.map(readFamily), readSheet(RARE)]);
  const tables = [...FAMILIES.map(unicodeTable), resolve(RARE)];
  return [...tables, ...slices.flat().map(({ file }) => file)];
}

async function readFamily(family: string): Promise<Slice[]> {
  const listed = await readFile(unicodeTable(family), 'utf8');
  return Object.entries(JSON.parse(listed) as Record<string, string>).map(([name, ranges]) => ({
    file: resolve(`${PACKAGES}/${family}/files/${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: rangesOf(ranges),
  }));
}

/** Reads the files and ranges of a style sheet with `@font-face` rules. */
async function readSheet(sheet: string): Promise<Slice[]> {
  const path = resolve(sheet);
  const folder = dirname(path);
  const rules = (await readFile(path, 'utf8')).matchAll(FONT_FACE);
  return Array.from(rules, ([, file = '', ranges = '']) => ({
    file: join(folder, file),
    ranges: rangesOf(ranges),
  }));
}

const FONT_FACE = /@font-face\{[^}]*?url\("\.\/([\w.]+)"\)[^}]*?unicode-range:([^;}]+)/g;

/** Parses the value of `unicode-range`, without wildcards. */
const rangesOf = (ranges: string): Slice['ranges'] =>
  ranges.split(',').map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .slice(2)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return [first, last];
  });

async function readFace(file: string): Promise<Face> {
  // HarfBuzz cannot read WOFF2.
  const bytes = await decompress(await readFile(file));
  return new Face(new Blob(bytes.slice().buffer));
}

function shapeWith(font: Font, text: string): Shaped | null {
  const buffer = new Text();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  const infos = buffer.getGlyphInfos();
  if (infos.some(({ codepoint }) => codepoint === MISSING_GLYPH)) return null;
  const positions = buffer.getGlyphPositions();
  const { upem } = font.face;
  const glyphs: Shaped['glyphs'] = [];
  let x = 0;
  for (const [index, { codepoint }] of infos.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    glyphs.push({ path: font.glyphToPath(codepoint), x: x + xOffset, y: yOffset });
    x += xAdvance;
  }
  return { glyphs, advance: x / upem, unitsPerEm: upem };
}
