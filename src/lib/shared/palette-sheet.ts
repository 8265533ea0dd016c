import { palette } from './palette.ts';

/** System colours for forced-colours mode, for icons and buttons drawn in these roles. */
const forced = {
  paper: 'Canvas',
  line: 'CanvasText',
  edge: 'CanvasText',
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
 * Returns the palette as a style sheet; each role is a custom property such as `--ink`.
 * @param dark wraps the declarations in the rule of the dark theme
 */
export const paletteSheet = (dark: (declared: string) => string): string =>
  `:root{color-scheme:light;${declare(palette.light)}}` +
  // Printing uses the light theme.
  `@media screen{${dark(`color-scheme:dark;${declare(palette.dark)}`)}}` +
  `@media (forced-colors:active){:root:root{${declare(forced)}}}`;
