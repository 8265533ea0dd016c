/**
 * Characters in a label that the library would parse as its end; they are replaced by private-use characters
 * while it draws.
 */
const SIGNS = '[](){}|<>/\\"&;#%`';
const FIRST = 0xe000;
const HIDDEN = new RegExp(
  `[${String.fromCharCode(FIRST)}-${String.fromCharCode(FIRST + SIGNS.length - 1)}]`,
  'g',
);

/** Hides these characters in a label, except in `<br>`. */
export function hideSigns(label: string): string {
  return label
    .replace(HIDDEN, '')
    .split(/(<br\s*\/?>)/i)
    .map((part, index) => (index % 2 === 1 ? '<br>' : part.replace(/[[\](){}|<>/\\"&;#%`]/g, hide)))
    .join('');
}

const hide = (sign: string) => String.fromCharCode(FIRST + SIGNS.indexOf(sign));

export const showSigns = (text: string): string =>
  text.replace(HIDDEN, (character) => SIGNS[character.charCodeAt(0) - FIRST] ?? '');
