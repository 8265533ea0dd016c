import { countCharacters } from '../../lib/contract/bounds.ts';

/** How much of `most` a text takes, as the contract counts: trimmed, in characters. */
export function CharacterCount({ text, most }: { text: string; most: number }) {
  const count = countCharacters(text.trim());
  return (
    <span className={`tabular-nums ${count > most ? 'text-vermilion' : ''}`}>
      {count} / {most}
    </span>
  );
}
