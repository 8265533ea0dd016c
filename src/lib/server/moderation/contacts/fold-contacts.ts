import { formOf } from '../canonical.ts';
import { chineseDigitOf } from './digits.ts';

/**
 * Folds a text like `canonicalise`, but keeps its signs, in their usual width, and its line breaks: letters
 * that look Latin, digits of any script and circled letters become ASCII, invisible characters are dropped.
 */
export function foldContacts(text: string): string {
  let folded = '';
  for (const character of text) {
    const form = formOf(character.codePointAt(0) as number);
    folded += typeof form === 'string' ? form : signOf(character);
  }
  return joinSpelt(folded);
}

const signs = new Map<string, string>();

function signOf(character: string): string {
  const known = signs.get(character);
  if (known !== undefined) return known;
  const plain = character.normalize('NFKC');
  const sign = character === '\n' ? '\n' : /^\s*$/u.test(plain) ? ' ' : plain;
  signs.set(character, sign);
  return sign;
}

/** Joins Latin letters and digits that are written one by one: `e x a m p l e . c o m`. */
const joinSpelt = (text: string): string =>
  text.replace(/(?<![a-z0-9])(?:[a-z0-9][ .@:/_-]{1,3}){5,}[a-z0-9](?![a-z0-9])/g, (spelt) =>
    /[a-z]/.test(spelt) ? spelt.replaceAll(' ', '') : spelt,
  );

/** Returns a folded text with Chinese digits, and letters in the place of digits, as ASCII digits. */
export function foldDigits(folded: string): string {
  let digits = '';
  for (const character of folded) digits += chineseDigitOf(character) ?? character;
  return digits.replace(/[0-9oil|]{7,}/g, (run) =>
    run.replace(/[0-9]/g, '').length * 3 > run.length * 2
      ? run
      : run.replaceAll('o', '0').replaceAll(/[il|]/g, '1'),
  );
}
