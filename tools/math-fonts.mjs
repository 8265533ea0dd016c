// @ts-check
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

/**
 * Writes src/styles/math-fonts: STIX Two Math with the characters that Temml can write, as files that
 * browsers load by the characters of a page. Run `node tools/math-fonts.mjs` and `npm run format` after an
 * update of Temml.
 */

const FOLDER = new URL('../src/styles/math-fonts/', import.meta.url);
const FILE = import.meta.resolve('@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2');
/** Variants for indices, dotless letters under accents, and accents over capitals. */
const FEATURES = ['ssty', 'dtls', 'flac'];

/** Characters of each file, as ranges. A file has those of its ranges that no earlier file has. */
const PARTS = {
  main: [
    '20-7e a0-ff 2c6-2dd 300-338 391-3f6 2010-203e 2061-2064 20d0-20ef 210e-210f 2113 2118 2190-219a 21a6 21aa',
    '21bc-21bd 21c0-21c1 21cc 21d0-21d5 2200-228b 2291-22a8 22b2-22b5 22c0-22c7 22ee-22f1 2308-230b 23b0-23b1',
    '23b4-23b5 23d0 23dc-23e1 25a1 25b3 2713 27e8-27e9 27f5-27fa 27fc 2a00-2a06 2a7d-2a7e 2aaf-2ab0 1d434-1d467',
    '1d6a4-1d6a5 1d6e2-1d71b',
  ],
  bold: ['1d400-1d433 1d468-1d49b 1d6a8-1d6e1 1d71c-1d755 1d7ca-1d7d7'],
  letters: [
    '2102 210a-210d 2110-2112 2115 2119-211d 2124 2128 212c-212d 212f-2131 2133-2134 213c-2149 1d49c-1d59f',
    '1d7d8-1d7e1',
  ],
  sans: ['1d5a0-1d6a3 1d756-1d7c9 1d7e2-1d7ff'],
  signs: ['131 237 2000-2bff'],
};
/** Ranges whose characters are all included; of the others only those that Temml mentions. */
const isWhole = (/** @type {string} */ part) => part !== 'signs';

const source = await readFile(new URL(FILE));
const mentioned = charactersIn(await readFile(new URL(import.meta.resolve('temml')), 'utf8'));
const taken = new Set();
const faces = [];
await mkdir(FOLDER, { recursive: true });
for (const [part, ranges] of Object.entries(PARTS)) {
  const codes = codesOf(ranges.join(' ')).filter(
    (code) => !taken.has(code) && (isWhole(part) || mentioned.has(code)),
  );
  for (const code of codes) taken.add(code);
  const options = { targetFormat: /** @type {const} */ ('woff2'), keepFeatures: FEATURES, noHinting: true };
  const font = await subsetFont(source, String.fromCodePoint(...codes), options);
  await writeFile(new URL(`${part}.woff2`, FOLDER), font);
  // Of two ranges with a character, browsers take the later one.
  faces.unshift(faceOf(part, ranges));
  console.log(`${part}: ${codes.length} characters, ${font.length} bytes`);
}
await writeFile(
  new URL('faces.css', FOLDER),
  `/* STIX Two Math (LICENSE), written by tools/math-fonts.mjs. */\n\n${faces.join('\n')}`,
);
await writeFile(new URL('LICENSE', FOLDER), await readFile(new URL('../LICENSE', FILE)));

/** @param {string} text */
function charactersIn(text) {
  const escaped = text.replace(/(?:\\u[\da-f]{4})+/gi, (each) => String(JSON.parse(`"${each}"`)));
  const plain = escaped.replace(/\\u\{([\da-f]{1,6})\}/gi, (_, /** @type {string} */ code) =>
    String.fromCodePoint(parseInt(code, 16)),
  );
  return new Set(Array.from(plain, (character) => character.codePointAt(0) ?? 0));
}

/** @param {string} ranges */
function codesOf(ranges) {
  return ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((code) => parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** @param {string} part @param {string[]} ranges */
function faceOf(part, ranges) {
  const list = ranges
    .join(' ')
    .split(' ')
    .map((range) => `U+${range}`);
  return `@font-face {
  font-family: 'STIX Two Math Web';
  src: url('./${part}.woff2') format('woff2');
  font-display: swap;
  unicode-range: ${list.join(', ')};
}
`;
}
