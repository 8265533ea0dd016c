import { GAP, type Canonical } from './canonical.ts';

/** Digits that stand for letters; `1` stands for both i and l. */
const READ_AS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  l: 'i',
};
const MIN_WORD_CHARACTERS = 3;

export function toLeetForm(canonical: string): string | null {
  if (canonical.length < MIN_WORD_CHARACTERS || !/^[a-z0-9]+$/.test(canonical)) return null;
  const form = canonical.replace(/[0134578l]/g, (sign) => READ_AS[sign] ?? sign);
  return /\d/.test(form) ? null : form;
}

/**
 * Ranges of words that may have digits in place of letters: Latin letters and digits without separators, with
 * at least as many letters as digits.
 */
export function* leetTokens({ text, gaps }: Canonical): Generator<{ begin: number; end: number }> {
  for (const { index, 0: run } of text.matchAll(/[a-z0-9]+/g)) {
    if (!/\d/.test(run)) continue;
    let begin = index;
    for (let at = index + 1; at <= index + run.length; at += 1) {
      if (at < index + run.length && gaps[at] === GAP.none) continue;
      const digits = text.slice(begin, at).replace(/[a-z]/g, '').length;
      if (digits > 0 && digits <= (at - begin) / 2) yield { begin, end: at };
      begin = at;
    }
  }
}
