import { clampChroma, formatHex, parse, wcagContrast, oklch } from 'culori';
import { palette } from '../../palette.ts';

type Theme = keyof typeof palette;

/** Colours that take the place of a theme's indigo and wash (palette.ts). */
export interface Accent {
  indigo: string;
  wash: string;
}

/** WCAG 2.2 AA for text. */
const AA = 4.5;
const STEP = 0.005;
/** Lightness and the most chroma of what lies behind marked words: faint, as the palette's. */
const WASH = { light: { l: 0.915, c: 0.035 }, dark: { l: 0.33, c: 0.06 } };

/**
 * The operator's colour as either theme can show it: of the same hue, only as much darker or lighter as text
 * in it needs on each ground, and text on it.
 * @param colour `#rrggbb`
 */
export function accentOf(colour: string): Record<Theme, Accent> {
  return { light: accentIn('light', colour), dark: accentIn('dark', colour) };
}

function accentIn(theme: Theme, colour: string): Accent {
  const { paper, raised, sunk, ink, soft, reverse } = palette[theme];
  const { l, c, h = 0 } = oklch(parse(colour)) ?? { l: 0, c: 0 };
  /** Towards the paper: what lies behind text goes there, text goes the other way. */
  const back = theme === 'light' ? STEP : -STEP;
  const faint = WASH[theme];
  const wash = firstFit({ l: faint.l, c: Math.min(c, faint.c), h }, back, [ink, soft]);
  const indigo = firstFit({ l, c, h }, -back, [paper, raised, sunk, wash, reverse]);
  return { indigo, wash };
}

/** The first colour, going from `start` by `step` of lightness, that can be told from all `others`. */
function firstFit(start: { l: number; c: number; h: number }, step: number, others: string[]): string {
  for (let l = start.l; ; l += step) {
    const fitting = formatHex(
      clampChroma({ mode: 'oklch', ...start, l: Math.min(1, Math.max(0, l)) }, 'oklch'),
    );
    const isEnd = step < 0 ? l <= 0 : l >= 1;
    if (isEnd || others.every((other) => wcagContrast(fitting, other) >= AA)) return fitting;
  }
}

/** A style sheet that lays the accent over the theme's own colours, wherever it stands in the page. */
export function accentSheet(accent: Record<Theme, Accent>): string {
  const rule = (selector: string, { indigo, wash }: Accent) =>
    `${selector}{--indigo:${indigo};--wash:${wash}}`;
  return rule('html:root', accent.light) + rule('html:root[data-theme=dark]', accent.dark);
}
