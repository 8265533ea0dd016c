import { clampChroma, formatHex, parse, wcagContrast, oklch } from 'culori';
import type { Look, Theme } from '../../contract/rules/looks.ts';

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
export function accentOf(colour: string, { colours }: Pick<Look, 'colours'>): Record<Theme, Accent> {
  return { light: accentIn('light', colour, colours), dark: accentIn('dark', colour, colours) };
}

function accentIn(theme: Theme, colour: string, colours: Look['colours']): Accent {
  const { paper, raised, sunk, ink, soft, reverse } = colours[theme];
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
