import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast } from './contrast.ts';
import { palette } from '../../../src/lib/shared/palette.ts';

type Role = keyof (typeof palette)['light'];

// Pairs of text and background colours that occur on pages. WCAG 2.2 AA requires 4.5 : 1 for text and 3 : 1
// for symbols and focus rings.
const TEXT: [Role, Role][] = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['ink', 'sunk'],
  ['ink', 'wash'],
  ['soft', 'paper'],
  ['soft', 'raised'],
  ['soft', 'sunk'],
  ['soft', 'wash'],
  ['indigo', 'paper'],
  ['indigo', 'raised'],
  ['indigo', 'sunk'],
  ['indigo', 'wash'],
  ['vermilion', 'paper'],
  ['vermilion', 'raised'],
  ['vermilion', 'sunk'],
  ['reverse', 'indigo'],
  ['reverse', 'vermilion'],
];

const BORDERS: [Role, Role][] = [
  ['edge', 'paper'],
  ['edge', 'raised'],
  ['edge', 'sunk'],
];

/** Colours of src/lib/markdown/code/code-tokens.css by name. */
function codeColours(theme: 'light' | 'dark'): Map<string, string> {
  const sheet = readFileSync('src/lib/markdown/code/code-tokens.css', 'utf8');
  const pairs = [...sheet.matchAll(/--tk-(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)];
  return new Map(
    pairs.map(([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark]),
  );
}

test('contrast is measured like WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe.each(['light', 'dark'] as const)('in the %s colours', (theme) => {
  const colours = palette[theme];

  test.each(TEXT)('%s can be read on %s', (text, ground) => {
    expect(contrast(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(BORDERS)('the border of a field, %s, stands out from %s', (border, ground) => {
    expect(contrast(colours[border], colours[ground])).toBeGreaterThanOrEqual(3);
  });

  test('every code colour is readable on its backgrounds', () => {
    const inks = [...codeColours(theme)].filter(([name]) => name !== 'bg');
    expect(inks.length).toBeGreaterThan(10);
    for (const [name, ink] of inks) {
      expect(contrast(ink, colours.sunk), `--tk-${name}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('no background is pure black or white', () => {
    expect(['#000000', '#ffffff']).not.toContain(colours.paper);
  });
});

test('both colour sets have the same roles', () => {
  expect(Object.keys(palette.dark)).toEqual(Object.keys(palette.light));
});

test('the logo behind the icons has the site’s colours', () => {
  const logo = readFileSync('src/lib/server/site/mark.svg', 'utf8');
  for (const role of ['ink', 'paper', 'soft', 'vermilion'] as const)
    expect(logo).toContain(palette.light[role]);
});
