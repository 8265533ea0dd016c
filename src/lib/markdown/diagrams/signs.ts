/** Signs that the library would read as the end of a label; for the time they stand as private characters. */
const SIGNS = '[](){}|<>/\\"&;#%`';
const FIRST = 0xe000;
const HIDDEN = new RegExp(
  `[${String.fromCharCode(FIRST)}-${String.fromCharCode(FIRST + SIGNS.length - 1)}]`,
  'g',
);

/** A label without signs, but for the breaks between its lines. */
export function hideSigns(label: string): string {
  return label
    .replace(HIDDEN, '')
    .split(/(<br\s*\/?>)/i)
    .map((part, index) => (index % 2 === 1 ? '<br>' : part.replace(/[[\](){}|<>/\\"&;#%`]/g, hide)))
    .join('');
}

const hide = (sign: string) => String.fromCharCode(FIRST + SIGNS.indexOf(sign));

/** The text of a drawn label, with its signs again. */
export const showSigns = (text: string): string =>
  text.replace(HIDDEN, (character) => SIGNS[character.charCodeAt(0) - FIRST] ?? '');
