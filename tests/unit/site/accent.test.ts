import { expect, test } from 'vitest';
import { palette } from '../../../src/lib/shared/palette.ts';
import { accentOf } from '../../../src/lib/server/site/accent.ts';
import { contrastOf, DEFAULT_LOOK } from '../../../src/lib/contract/rules/looks.ts';
import { themeSheet } from '../../../src/lib/shared/look-sheet.ts';

const hex = (value: number) => value.toString(16).padStart(2, '0');
/** Black, white, greys and colours of all hues, from dull to vivid. */
const COLOURS = [0, 51, 102, 153, 204, 255].flatMap((red) =>
  [0, 85, 170, 255].flatMap((green) =>
    [0, 85, 170, 255].map((blue) => `#${hex(red)}${hex(green)}${hex(blue)}`),
  ),
);

test('any colour becomes readable on every background of both themes, and under text', () => {
  for (const colour of COLOURS) {
    const accent = accentOf(colour, DEFAULT_LOOK);
    for (const theme of ['light', 'dark'] as const) {
      const { paper, raised, sunk, reverse, ink, soft } = palette[theme];
      const { indigo, wash } = accent[theme];
      for (const other of [paper, raised, sunk, wash, reverse])
        expect(contrastOf(indigo, other), `${colour} as ${indigo} on ${other}`).toBeGreaterThanOrEqual(4.5);
      for (const text of [ink, soft])
        expect(contrastOf(text, wash), `${text} on ${wash} of ${colour}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('a readable colour stays unchanged', () => {
  expect(accentOf('#6a1b5d', DEFAULT_LOOK).light.indigo).toBe('#6a1b5d');
  expect(accentOf('#93b1e6', DEFAULT_LOOK).dark.indigo).toBe('#93b1e6');
});

test('an unreadable one keeps its hue: bright yellow becomes dark on paper', () => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(accentOf('#ffd400', DEFAULT_LOOK).light.indigo.slice(at, at + 2), 16),
  );
  expect(red).toBeGreaterThan(blue);
  expect(green).toBeGreaterThan(blue);
});

test('the stylesheet has only colours, and overrides the page’s own regardless of order', () => {
  const colours = '\\{--indigo:#[0-9a-f]{6};--wash:#[0-9a-f]{6}\\}';
  const sheet = new RegExp(
    `^html:root${colours}@media screen\\{html:root\\[data-theme=dark\\]${colours}\\}@media screen and [^{]*\\{html:root\\[data-theme=system\\]${colours}\\}$`,
  );
  expect(themeSheet(accentOf('#8a2be2', DEFAULT_LOOK))).toMatch(sheet);
});
