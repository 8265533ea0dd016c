import { readFileSync } from 'node:fs';
import { toSimplified } from './simplified.ts';

const HAN = /^\p{Script=Han}+$/u;
const PROTOTYPES = readPrototypes();

/** Code points of A in the white alphabets on black circles and squares, which NFKC leaves unchanged. */
export const ENCLOSED = [0x1f150, 0x1f170] as const;
const LETTERS = 26;

/** Returns the small letter in one of the `alphabets`, given by their first code points, or undefined. */
export function enclosedLetter(code: number, alphabets: readonly number[] = ENCLOSED): string | undefined {
  const first = alphabets.find((start) => code >= start && code < start + LETTERS);
  return first === undefined ? undefined : String.fromCharCode(0x61 + code - first);
}

/** Returns the character that `character` looks like (UTS #39, and enclosed letters), or itself. */
export function prototypeOf(character: string): string {
  const look = enclosedLetter(character.codePointAt(0) ?? 0) ?? character;
  return PROTOTYPES.get(look) ?? look;
}

function readPrototypes(): Map<string, string> {
  const lines = readFileSync(new URL('./confusables.txt', import.meta.url), 'utf8').split('\n');
  const characters = (hex: string) =>
    String.fromCodePoint(...hex.split(' ').map((code) => Number.parseInt(code, 16)));
  const prototypes = new Map<string, string>();
  for (const line of lines) {
    const [source, target] = line.split(';');
    if (source && target && !line.startsWith('#')) prototypes.set(characters(source), characters(target));
  }
  return withoutOtherScripts(prototypes);
}

/**
 * Makes the simplified form the prototype of traditional characters that Unicode maps to another script (長
 * and ⻑, mapped to Hangul).
 */
function withoutOtherScripts(prototypes: Map<string, string>): Map<string, string> {
  const simplified = new Map<string, string>();
  for (const [source, prototype] of prototypes) {
    const form = HAN.test(source) && !HAN.test(prototype) ? toSimplified(source) : source;
    if (form !== source) simplified.set(prototype, form);
  }
  return new Map(
    [...prototypes].map(([source, prototype]) => [source, simplified.get(prototype) ?? prototype]),
  );
}
