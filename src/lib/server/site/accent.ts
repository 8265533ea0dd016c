import { clampChroma, formatHex, parse, wcagContrast, oklch } from 'culori';
import { palette } from '../../shared/palette.ts';

type Theme = keyof typeof palette;

export interface Accent {
  indigo: string;
  wash: string;
}

/** WCAG 2.2 AA contrast for text. */
const AA = 4.5;
const STEP = 0.005;
const WASH = { light: { l: 0.915, c: 0.035 }, dark: { l: 0.33, c: 0.06 } };

/**
 * Adapts the operator's colour to both themes: same hue, and only as much darker or lighter as needed for
 * text in it on each background, and for text on it.
 * @param colour `#rrggbb`
 */
export function accentOf(colour: string): Record<Theme, Accent> {
  return { light: accentIn('light', colour), dark: accentIn('dark', colour) };
}

function accentIn(theme: Theme, colour: string): Accent {
  const { paper, raised, sunk, ink, soft, reverse } = palette[theme];
  const { l, c, h = 0 } = oklch(parse(colour)) ?? { l: 0, c: 0 };
  const back = theme === 'light' ? STEP : -STEP;
  const faint = WASH[theme];
  const wash = firstFit({ l: faint.l, c: Math.min(c, faint.c), h }, back, [ink, soft]);
  const indigo = firstFit({ l, c, h }, -back, [paper, raised, sunk, wash, reverse]);
  return { indigo, wash };
}

function firstFit(start: { l: number; c: number; h: number }, step: number, others: string[]): string {
  for (let l = start.l; ; l += step) {
    const fitting = formatHex(
      clampChroma({ mode: 'oklch', ...start, l: Math.min(1, Math.max(0, l)) }, 'oklch'),
    );
    const isEnd = step < 0 ? l <= 0 : l >= 1;
    if (isEnd || others.every((other) => wcagContrast(fitting, other) >= AA)) return fitting;
  }
}

export function accentSheet(accent: Record<Theme, Accent>): string {
  const rule = (selector: string, { indigo, wash }: Accent) =>
    `${selector}{--indigo:${indigo};--wash:${wash}}`;
  const system = rule('html:root[data-theme=system]', accent.dark);
  return [
    rule('html:root', accent.light),
    rule('html:root[data-theme=dark]', accent.dark),
    `@media screen and (prefers-color-scheme:dark){${system}}`,
  ].join('');
}
