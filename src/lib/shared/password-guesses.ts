import { dictionary } from '@zxcvbn-ts/language-common';

const MIN_LISTED_CHARACTERS = 8;
/** Words of zxcvbn's list of 49,000 common passwords, most common first, that a password can be. */
const listed = new Set(
  (dictionary['passwords-common'] ?? []).map(String).filter((word) => word.length >= MIN_LISTED_CHARACTERS),
);

/** A repetition of one to four characters: 88888888, 12341234, abcabcabc. */
const REPETITION = /^(.{1,4})\1+$/su;

/**
 * Whether attackers try a password first: a common one, a repetition, a sequence or the username. Such
 * passwords are refused.
 */
export function isGuessedFirst(password: string, username: string): boolean {
  const folded = fold(password);
  return listed.has(folded) || REPETITION.test(folded) || isSequence(folded) || folded === fold(username);
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether each character is the one after, or before, the preceding one, as in abcdefgh or 87654321. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) =>
    codes.every((code, index) => index === 0 || code - (codes[index - 1] ?? 0) === step),
  );
}
