import {
  COLOUR_ROLES,
  DEFAULT_LOOK,
  FRONT_NAMES,
  HEAD_NAMES,
  LIST_NAMES,
  PARAGRAPH_NAMES,
  type ColourRole,
  type Look,
  type Theme,
} from '../contract/rules/looks.ts';

/** The first two are those of styles/fonts.css. */
export const FONT_STACKS: Readonly<Record<Look['type']['text'], string>> = {
  hei: "-apple-system,'Segoe UI','PingFang SC','HarmonyOS Sans SC',MiSans,'Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC',system-ui,sans-serif",
  song: "'Songti SC','Noto Serif CJK SC','Source Han Serif SC','Noto Serif SC','Source Han Serif CN',serif",
  kai: "'Kaiti SC',STKaiti,KaiTi,'LXGW WenKai','AR PL UKai CN',serif",
  fang: "STFangsong,FangSong,FangSong_GB2312,'FZFangSong-Z02',serif",
};

/** Paddings of a column, in rem. */
const PADDINGS = 2.5;
/** Notes in both margins with their distance, in rem, less the paddings of the column. */
const MARGINS = 20.5;
const FIRST_MARGIN = 1024;
/** Widest line, in characters, next to which the table of contents has room without more. */
const ROOMY = 42;

/** Notes in a row above their content, also on wide screens: those of cards, and those next to headings. */
const CARD_NOTES =
  '.card-note.card-note{display:flex;float:none;width:auto;margin:0 0 .25rem;text-align:start}' +
  '.note-figure.note-figure{display:none}.note-line.note-line{display:inline}';
const MARGIN_NOTES =
  '.margin-note.margin-note,.margin-head.margin-head{position:static;width:auto;margin:0 0 .25rem;text-align:start}';

const block = (selector: string, declared: readonly string[]) =>
  declared.length === 0 ? '' : `${selector}{${declared.join(';')}}`;

/**
 * Returns rules for colours that both themes define, which override the page's rules in any order.
 * Printing uses the light theme; forced colours stay as they are (palette.ts).
 */
export function themeSheet(colours: Record<Theme, Partial<Record<ColourRole, string>>>): string {
  const declare = (theme: Theme) =>
    Object.entries(colours[theme]).map(([role, value]) => `--${role}:${value}`);
  const dark = declare('dark');
  const system = block('html:root[data-theme=system]', dark);
  return [
    block('html:root', declare('light')),
    block('@media screen', [block('html:root[data-theme=dark]', dark)].filter(Boolean)),
    system && `@media screen and (prefers-color-scheme:dark){${system}}`,
  ].join('');
}

/** Returns the style sheet of a look: what differs from the default look, so the default one has none. */
export function lookSheet({ type, shape, colours, notes, list }: Look): string {
  const usual = DEFAULT_LOOK;
  const changed = <T>(value: T, usually: T, ...declared: string[]) => (value === usually ? [] : declared);
  const column = type.measure + PADDINGS;
  const declared = [
    ...changed(type.text, usual.type.text, `--font-text:${FONT_STACKS[type.text]}`),
    ...changed(
      type.title,
      usual.type.title,
      `--font-title:${type.title === type.text ? 'var(--font-text)' : FONT_STACKS[type.title]}`,
    ),
    ...changed(type.leading, usual.type.leading, `--leading:${type.leading}`),
    ...changed(type.measure, usual.type.measure, `--column:${column}rem`),
    ...(type.measure > ROOMY ? ['--beside:15rem'] : []),
    ...changed(shape.radius, usual.shape.radius, `--radius:${shape.radius}px`),
    ...changed(shape.rhythm, usual.shape.rhythm, `--rhythm:${shape.rhythm}`),
  ];
  // On a phone at least 16 px, below which browsers enlarge a field in use.
  const sizes = changed(
    type.size,
    usual.type.size,
    `html:root{font-size:${Math.max(16, type.size - 1)}px}`,
    `@media (min-width:640px){html:root{font-size:${type.size}px}}`,
  );
  const departures = (theme: Theme) =>
    Object.fromEntries(
      COLOUR_ROLES.filter((role) => colours[theme][role] !== usual.colours[theme][role]).map((role) => [
        role,
        colours[theme][role],
      ]),
    );
  return [
    block('html:root', declared),
    ...sizes,
    themeSheet({ light: departures('light'), dark: departures('dark') }),
    notesSheet({ notes, list }, (column + MARGINS) * type.size),
  ].join('');
}

/** Notes stand above their content where the list leaves no margin, or if the look says so. */
function notesSheet({ notes, list }: Pick<Look, 'notes' | 'list'>, room: number): string {
  if (notes === 'line' || list === 'cards') return CARD_NOTES + MARGIN_NOTES;
  const ofCards = list === 'dense' ? CARD_NOTES : '';
  const usualRoom = (DEFAULT_LOOK.type.measure + PADDINGS + MARGINS) * DEFAULT_LOOK.type.size;
  if (room <= usualRoom) return ofCards;
  const isNarrow = `@media (min-width:${FIRST_MARGIN}px) and (max-width:${Math.ceil(room) - 0.02}px)`;
  return `${ofCards}${isNarrow}{${ofCards ? '' : CARD_NOTES}${MARGIN_NOTES}}`;
}

/** The choices that `<html>` carries as attributes (layouts/look-styles.ts). */
export type LookChoices = Pick<Look, 'list' | 'head' | 'front'> & Pick<Look['type'], 'paragraphs'>;

export const choicesOf = ({ type, list, head, front }: Look): LookChoices => ({
  paragraphs: type.paragraphs,
  list,
  head,
  front,
});

/** Values of the choices, with their names in the console. */
export const CHOICE_NAMES = {
  paragraphs: PARAGRAPH_NAMES,
  list: LIST_NAMES,
  head: HEAD_NAMES,
  front: FRONT_NAMES,
} as const satisfies Record<keyof LookChoices, object>;

const USUAL_CHOICES = choicesOf(DEFAULT_LOOK);

/** The site's look in GET /api/site; `href` is the address of its sheet, or ''. */
export const NO_LOOK = { href: '', ...USUAL_CHOICES };

/** Returns the attributes of `<html>`; the default choices have none. */
export const lookAttributes = (choices: LookChoices): Record<`data-${string}`, string | undefined> =>
  Object.fromEntries(
    (Object.keys(USUAL_CHOICES) as (keyof LookChoices)[]).map((name) => [
      `data-${name}`,
      choices[name] === USUAL_CHOICES[name] ? undefined : choices[name],
    ]),
  );
