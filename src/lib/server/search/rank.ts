import { fold } from './text/fold.ts';
import type { Term } from './query.ts';
import { namesOf, type FoundHead } from './reader.ts';

export interface Question {
  /** The words (folded) in the order written, without spaces. */
  phrase: string;
  terms: readonly Term[];
}

/** Maximum distance of terms that belong together, in UTF-16 units. */
const MAX_TERM_DISTANCE = 80;
const MAX_PLACES = 60;
/** Scores are rounded to 1/20, so a negligible difference does not outrank a newer article. */
const SCORE_STEPS = 20;

export function scoreHead({ phrase, terms }: Question, head: FoundHead): number {
  const title = fieldOf(fold(head.title));
  const headings = head.headings === '' ? [] : head.headings.split('\n');
  const names = namesOf(head).map((name) => fieldOf(fold(name)));
  const inTitle = coverage(terms, [title]);
  const inNames = coverage(terms, names);
  const inHead = headings.reduce(
    (best, heading) => Math.max(best, coverage(terms, [title, fieldOf(heading), ...names])),
    coverage(terms, [title, ...names]),
  );
  const inOneHeading = headings.reduce(
    (best, heading) => Math.max(best, coverage(terms, [fieldOf(heading)])),
    0,
  );
  const precision = Math.min(1, lengthOf(terms, title) / Math.max(title.joined.length, 1));
  return (
    6 * inTitle +
    3 * inHead +
    inOneHeading +
    2 * inNames +
    2 * precision * inTitle +
    (title.joined.includes(phrase) ? 2 : 0) +
    (title.joined === phrase ? 3 : 0) +
    (headings.some((heading) => fieldOf(heading).joined.includes(phrase)) ? 1.5 : 0) +
    (names.some(({ joined }) => joined === phrase) ? 1.5 : 0)
  );
}

export function scoreText({ phrase, terms }: Question, text: string): number {
  const folded = fold(text);
  return (
    coverage(terms, [fieldOf(folded)]) + 2 * nearness(terms, folded) + (folded.includes(phrase) ? 0.5 : 0)
  );
}

export function compareRanked(
  a: { score: number; document: number },
  b: { score: number; document: number },
): number {
  return Math.round(b.score * SCORE_STEPS) - Math.round(a.score * SCORE_STEPS) || b.document - a.document;
}

interface Field {
  text: string;
  /** Without spaces: `springboot` is found in `spring boot`. */
  joined: string;
}

const fieldOf = (text: string): Field => ({
  text,
  joined: text.includes(' ') ? text.replaceAll(' ', '') : text,
});

function coverage(terms: readonly Term[], fields: readonly Field[]): number {
  let held = 0;
  let whole = 0;
  for (const term of terms) {
    whole += term.weight;
    held += term.weight * fields.reduce((best, field) => Math.max(best, strength(term, field)), 0);
  }
  return whole === 0 ? 0 : held / whole;
}

const lengthOf = (terms: readonly Term[], title: Field): number =>
  terms.reduce((sum, { text }) => sum + (title.joined.includes(text) ? text.length : 0), 0);

/** Returns how well a field holds a term, 0 to 1: less as part of a longer word, less for its base alone. */
function strength({ text, base }: Term, field: Field): number {
  const whole = wordStrength(text, field.text);
  if (whole === 1) return 1;
  const joined = field.joined.includes(text) && whole === 0 ? 0.8 : whole;
  return text === base ? joined : Math.max(joined, 0.5 * wordStrength(base, field.text));
}

const LATIN = /[a-z0-9]/;

function wordStrength(word: string, text: string): number {
  let best = 0;
  for (
    let at = text.indexOf(word), seen = 0;
    at !== -1 && seen < MAX_PLACES;
    at = text.indexOf(word, at + 1), seen += 1
  ) {
    const end = at + word.length;
    const goesOn = (inside: string | undefined, outside: string | undefined) =>
      LATIN.test(inside ?? '') && LATIN.test(outside ?? '');
    if (!goesOn(word[0], text[at - 1]) && !goesOn(word.at(-1), text[end])) return 1;
    best = 0.5;
  }
  return best;
}

function nearness(terms: readonly Term[], text: string): number {
  if (terms.length < 2) return 0;
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const places = terms
    .flatMap(({ text: word }, term) => placesOf(word, text).map((at) => ({ at, term })))
    .sort((a, b) => a.at - b.at);
  const counts = new Map<number, number>();
  const weigh = (term: number) => terms[term]?.weight ?? 0;
  let tail = 0;
  let held = 0;
  let best = 0;
  for (const { at, term } of places) {
    const count = counts.get(term) ?? 0;
    if (count === 0) held += weigh(term);
    counts.set(term, count + 1);
    for (let oldest = places[tail]; oldest && at - oldest.at > MAX_TERM_DISTANCE; oldest = places[tail]) {
      const left = (counts.get(oldest.term) ?? 1) - 1;
      if (left === 0) held -= weigh(oldest.term);
      counts.set(oldest.term, left);
      tail += 1;
    }
    best = Math.max(best, held);
  }
  return best / whole;
}

function placesOf(word: string, text: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(word);
    at !== -1 && places.length < MAX_PLACES;
    at = text.indexOf(word, at + word.length)
  )
    places.push(at);
  return places;
}
