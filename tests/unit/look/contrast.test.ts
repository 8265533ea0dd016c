import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrastOf, DEFAULT_LOOK, lookFaults } from '../../../src/lib/contract/rules/looks.ts';
import { palette } from '../../../src/lib/shared/palette.ts';

/** Colours of src/lib/markdown/code/code-tokens.css by name. */
function codeColours(theme: 'light' | 'dark'): Map<string, string> {
  const sheet = readFileSync('src/lib/markdown/code/code-tokens.css', 'utf8');
  const pairs = [...sheet.matchAll(/--tk-(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)];
  return new Map(
    pairs.map(([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark]),
  );
}

test('contrast is measured like WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('every text of the default look can be read, and borders of fields stand out', () => {
  expect(lookFaults(DEFAULT_LOOK)).toEqual([]);
});

describe.each(['light', 'dark'] as const)('in the %s colours', (theme) => {
  const colours = palette[theme];

  test('every code colour is readable on its backgrounds', () => {
    const inks = [...codeColours(theme)].filter(([name]) => name !== 'bg');
    expect(inks.length).toBeGreaterThan(10);
    for (const [name, ink] of inks) {
      expect(contrastOf(ink, colours.sunk), `--tk-${name}`).toBeGreaterThanOrEqual(4.5);
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
