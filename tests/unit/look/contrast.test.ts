import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { palette } from '../../../uno.config.ts';

type Role = keyof (typeof palette)['light'];

// Text and the ground it stands on, as it occurs on pages. WCAG 2.2 AA asks 4.5 : 1 of text, 3 : 1 of signs
// and focus rings.
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

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Colours of src/lib/markdown/code-tokens.css by name: the first block is light, the second dark. */
function codeColours(theme: 'light' | 'dark'): Map<string, string> {
  const blocks = readFileSync('src/lib/markdown/code-tokens.css', 'utf8').split("[data-theme='dark']");
  const block = blocks[theme === 'light' ? 0 : 1] ?? '';
  return new Map(
    [...block.matchAll(/--tk-(\w+): (#\w{6})/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

test('contrast is measured as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

describe.each(['light', 'dark'] as const)('in the %s colours', (theme) => {
  const colours = palette[theme];

  test.each(TEXT)('%s can be read on %s', (text, ground) => {
    expect(contrast(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test('every colour of code can be read where code lies', () => {
    const inks = [...codeColours(theme)].filter(([name]) => name !== 'bg');
    expect(inks.length).toBeGreaterThan(10);
    for (const [name, ink] of inks) {
      expect(contrast(ink, colours.sunk), `--tk-${name}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('no ground is pure black or white', () => {
    expect(['#000000', '#ffffff']).not.toContain(colours.paper);
  });
});

test('both colour sets name the same roles', () => {
  expect(Object.keys(palette.dark)).toEqual(Object.keys(palette.light));
});

test('the mark that browsers show has the colours of the site', () => {
  const logo = readFileSync('public/logo.svg', 'utf8');
  for (const role of ['ink', 'paper', 'soft', 'vermilion'] as const)
    expect(logo).toContain(palette.light[role]);
});
