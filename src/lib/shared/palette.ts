/**
 * All colours of the site, by role: `var(--ink)` in CSS, `text-ink` as a class. No other file contains a
 * colour. tests/unit/look/contrast.test.ts checks the contrast of each pair of text and background in use.
 */
export const palette = {
  light: {
    paper: '#faf7f1',
    /** Floating surfaces: menus, cards over the page. */
    raised: '#fffdf9',
    /** Sunken surfaces: inputs, code. */
    sunk: '#f2eee5',
    line: '#e2dbce',
    /** Borders of fields, which must stand out from their surroundings; `line` only separates. */
    edge: '#8f8779',
    ink: '#22201c',
    soft: '#645e54',
    indigo: '#2c4a84',
    /** Behind highlighted words and selected items. */
    wash: '#dde5f3',
    vermilion: '#b23a22',
    /** Text on indigo or vermilion. */
    reverse: '#fffdf9',
    shadow: '#3b2f1a29',
    porcelain: '#fdfbf6',
    glaze: '#d9d3c6',
    cobalt: '#2c4a84',
    tea: '#c07a35',
    brew: '#8d4a1c',
    steam: '#a39b8c',
  },
  dark: {
    paper: '#14171e',
    raised: '#1b1f29',
    sunk: '#1d222c',
    line: '#2d3340',
    edge: '#687082',
    ink: '#d5d7dc',
    soft: '#9ba1ae',
    indigo: '#93b1e6',
    wash: '#283653',
    vermilion: '#e8775f',
    reverse: '#14171e',
    shadow: '#05070b80',
    porcelain: '#c9cdd5',
    glaze: '#7f8796',
    cobalt: '#2f4f93',
    tea: '#b06c2e',
    brew: '#6e3815',
    steam: '#b9c0cd',
  },
} as const;

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
  `:root{color-scheme:light;--dim:none;${declare(palette.light)}}` +
  // Printing uses the light theme.
  `@media screen{${dark(`color-scheme:dark;--dim:brightness(0.88);${declare(palette.dark)}`)}}` +
  `@media (forced-colors:active){:root:root:root{${declare(forced)}}}`;
