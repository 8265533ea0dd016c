import { readFileSync } from 'node:fs';

const PROTOTYPES = readPrototypes();

/** Returns the character that `character` looks like (UTS #39), or itself. */
export const prototypeOf = (character: string): string => PROTOTYPES.get(character) ?? character;

function readPrototypes(): Map<string, string> {
  const lines = readFileSync(new URL('./confusables.txt', import.meta.url), 'utf8').split('\n');
  const characters = (hex: string) =>
    String.fromCodePoint(...hex.split(' ').map((code) => Number.parseInt(code, 16)));
  const prototypes = new Map<string, string>();
  for (const line of lines) {
    const [source, target] = line.split(';');
    if (source && target && !line.startsWith('#')) prototypes.set(characters(source), characters(target));
  }
  return prototypes;
}
