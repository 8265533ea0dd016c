import { countCharacters } from '../../../lib/contract/rules/bounds.ts';

/** Character count of a text out of `most`, counted like in the contract: after trimming. */
export function CharacterCount({ text, most }: { text: string; most: number }) {
  const count = countCharacters(text.trim());
  return (
    <span className={`tabular-nums ${count > most ? 'text-vermilion' : ''}`}>
      {count} / {most}
    </span>
  );
}
