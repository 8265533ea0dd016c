import { KIB } from './units.ts';
import { palette } from '../../shared/palette.ts';
import dense from './looks/dense.json' with { type: 'json' };
import pictures from './looks/pictures.json' with { type: 'json' };

// The rules of looks: values of typefaces, sizes and colours, and choices between layouts.

/** Typefaces, all of system fonts (shared/look-sheet.ts). */
export const FONT_NAMES = { hei: '黑体', song: '宋体', kai: '楷体', fang: '仿宋' } as const;
export const PARAGRAPH_NAMES = { spaced: '段落之间空一些', indented: '首行缩进两字' } as const;
export const LIST_NAMES = { text: '文字', cards: '封面卡片', dense: '紧凑目录' } as const;
export const HEAD_NAMES = { left: '居左', centred: '居中', cover: '封面在标题上方' } as const;
export const NOTE_NAMES = { margin: '页边', line: '标题上方' } as const;
export const FRONT_NAMES = { beside: '右边放推荐和标签', middle: '只有列表，居中' } as const;

/** Limits of the numbers of a look. */
export const LOOK_RANGES = {
  /** Pixels, on screens from 640 px. */
  size: { least: 15, most: 20, step: 0.5, unit: 'px' },
  leading: { least: 1.5, most: 2.2, step: 0.05, unit: '倍' },
  /** Chinese characters in a line. */
  measure: { least: 30, most: 48, step: 1, unit: '字' },
  radius: { least: 0, most: 16, step: 1, unit: 'px' },
  rhythm: { least: 0.7, most: 1.4, step: 0.05, unit: '倍' },
} as const;

export const MAX_LOOK_NAME = 20;
/** Bytes of the operator's own style sheet. */
export const MAX_STYLE_BYTES = 32 * KIB;
/** Looks that an operator may keep besides the shipped ones. */
export const MAX_SAVED_LOOKS = 20;

/** The colours of a look by role, with their names in the console. */
export const COLOUR_NAMES = {
  paper: '页面底色',
  raised: '浮层底色',
  sunk: '代码和引用的底色',
  line: '分隔线',
  edge: '输入框的边',
  ink: '文字',
  soft: '次要文字',
  indigo: '链接和按钮',
  wash: '选中处的底色',
  vermilion: '印章和提醒',
  reverse: '按钮上的文字',
} as const;
export type ColourRole = keyof typeof COLOUR_NAMES;
export const COLOUR_ROLES = Object.keys(COLOUR_NAMES) as ColourRole[];
export const THEME_NAMES = { light: '浅色', dark: '深色' } as const;
export type Theme = keyof typeof THEME_NAMES;

// A type, because an interface cannot be read as a record of its fields.
export type Look = {
  name: string;
  type: {
    text: keyof typeof FONT_NAMES;
    title: keyof typeof FONT_NAMES;
    size: number;
    leading: number;
    measure: number;
    paragraphs: keyof typeof PARAGRAPH_NAMES;
  };
  shape: { radius: number; rhythm: number };
  /** `#rrggbb`. */
  colours: Record<Theme, Record<ColourRole, string>>;
  list: keyof typeof LIST_NAMES;
  head: keyof typeof HEAD_NAMES;
  notes: keyof typeof NOTE_NAMES;
  front: keyof typeof FRONT_NAMES;
};

const coloursOf = (theme: Theme) =>
  Object.fromEntries(COLOUR_ROLES.map((role) => [role, palette[theme][role]])) as Record<ColourRole, string>;

/** The look of a site that has chosen none; its style sheet is empty (shared/look-sheet.ts). */
export const DEFAULT_LOOK: Look = {
  name: '墨页',
  type: { text: 'hei', title: 'song', size: 17, leading: 1.85, measure: 38, paragraphs: 'spaced' },
  shape: { radius: 4, rhythm: 1 },
  colours: { light: coloursOf('light'), dark: coloursOf('dark') },
  list: 'text',
  head: 'left',
  notes: 'margin',
  front: 'beside',
};

export const SHIPPED_LOOKS: readonly Look[] = [DEFAULT_LOOK, dense as Look, pictures as Look];

/** Code colour with the least contrast, in each theme (markdown/code/code-tokens.css). */
export const WEAKEST_CODE = { light: '#6b6a62', dark: '#8b919e' } as const;

const READABLE = 4.5;
const VISIBLE = 3;

/** Colours on backgrounds on which pages show them, and the contrast that WCAG 2.2 AA requires. */
const CONTRAST_PAIRS: readonly [least: number, text: ColourRole | 'code', grounds: ColourRole[]][] = [
  [READABLE, 'ink', ['paper', 'raised', 'sunk', 'wash']],
  [READABLE, 'soft', ['paper', 'raised', 'sunk', 'wash']],
  [READABLE, 'indigo', ['paper', 'raised', 'sunk', 'wash']],
  [READABLE, 'vermilion', ['paper', 'raised', 'sunk']],
  [READABLE, 'reverse', ['indigo', 'vermilion']],
  [READABLE, 'code', ['paper', 'sunk']],
  [VISIBLE, 'edge', ['paper', 'raised', 'sunk']],
];

export interface LookFault {
  theme: Theme;
  /** `code`: the colours of code, which looks do not change. */
  text: ColourRole | 'code';
  ground: ColourRole;
  ratio: number;
  least: number;
}

/** Returns the pairs of colours of a look that have too little contrast. */
export function lookFaults({ colours }: Pick<Look, 'colours'>): LookFault[] {
  return (['light', 'dark'] as const).flatMap((theme) =>
    CONTRAST_PAIRS.flatMap(([least, text, grounds]) =>
      grounds.flatMap((ground) => {
        const front = text === 'code' ? WEAKEST_CODE[theme] : colours[theme][text];
        const ratio = contrastOf(front, colours[theme][ground]);
        return ratio < least ? { theme, text, ground, ratio, least } : [];
      }),
    ),
  );
}

/** Describes a fault; the text follows the name of the colour. */
export const faultText = ({ text, ground, ratio, least }: LookFault): string =>
  text === 'code'
    ? `上的代码看不清：对比度 ${ratio.toFixed(1)}，至少要 ${least}`
    : `在${COLOUR_NAMES[ground]}上看不清：对比度 ${ratio.toFixed(1)}，至少要 ${least}`;

/** The colour that a fault is reported at. */
export const faultRole = ({ text, ground }: LookFault): ColourRole => (text === 'code' ? ground : text);

/** Contrast of two colours `#rrggbb`, 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
