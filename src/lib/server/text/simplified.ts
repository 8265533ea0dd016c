import { from, to } from 'opencc-js/preset/t2cn';
import { Converter } from 'opencc-js/t2cn';

export const toSimplified: (text: string) => string = Converter({ from: 't', to: 'cn' });

/**
 * Returns the simplified form of each traditional character, also of the forms that only Taiwan and Hong Kong
 * use. No value is a key.
 */
export function simplifiedCharacters(): ReadonlyMap<string, string> {
  const simplified = new Map(charactersOf(to['cn']));
  const written = new Set(simplified.values());
  for (const [character, standard] of [...charactersOf(from['tw']), ...charactersOf(from['hk'])])
    if (!written.has(character) && !simplified.has(character)) simplified.set(character, standard);
  return new Map(Array.from(simplified.keys(), (character) => [character, lastOf(simplified, character)]));
}

function lastOf(simplified: ReadonlyMap<string, string>, character: string): string {
  const seen = new Set<string>();
  let last = character;
  for (let next = simplified.get(last); next && !seen.has(next); next = simplified.get(next)) {
    seen.add(next);
    last = next;
  }
  return last;
}

/** Returns the entries of one character; a character with several forms has the usual one first. */
function charactersOf(groups: (typeof from)[string] = []): [string, string][] {
  return groups
    .flat()
    .flatMap(entriesOf)
    .flatMap(([key = '', value = '']): [string, string][] => {
      const isCharacter = Array.from(key).length === 1 && Array.from(value).length === 1;
      return isCharacter && key !== value ? [[key, value]] : [];
    });
}

const entriesOf = (dictionary: string | readonly (readonly string[])[]): (readonly string[])[] =>
  typeof dictionary === 'string' ? dictionary.split('|').map((entry) => entry.split(' ')) : [...dictionary];
