import { palette } from './palette.ts';

/** Where the reader has colours of their own (forced colours): roles that signs and buttons are drawn in. */
const forced = {
  paper: 'Canvas',
  line: 'CanvasText',
  ink: 'CanvasText',
  soft: 'CanvasText',
  indigo: 'LinkText',
  vermilion: 'CanvasText',
  reverse: 'Canvas',
};

const declare = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

/**
 * The palette as a style sheet: each role is a custom property, `--ink`.
 * @param dark the rule of the dark theme, around what it declares
 */
export const paletteSheet = (dark: (declared: string) => string): string =>
  `:root{color-scheme:light;${declare(palette.light)}}` +
  // Paper is light.
  `@media screen{${dark(`color-scheme:dark;${declare(palette.dark)}`)}}` +
  `@media (forced-colors:active){:root:root{${declare(forced)}}}`;
