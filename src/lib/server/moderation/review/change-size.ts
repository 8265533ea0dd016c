import type { SiteOptions } from '../../../contract/site-options.ts';
import { formOf } from '../canonical.ts';
import { hasNewContact, labelsIn, type Seen } from '../contacts.ts';

/** Changed characters of a small correction: a tenth of the text, but at least one replaced character. */
const MAX_SMALL_CHARACTERS = 30;
const MAX_SMALL_SHARE = 0.1;
const ONE_REPLACED = 2;
/** Punctuation in a row that is still punctuation, not a drawing. */
const MAX_PUNCTUATION = 3;

export interface JudgedText {
  title: string;
  /** Everything else that readers see, as it was written. */
  text: string;
  /** The same as readers see it, if it has markup. */
  rendered?: { text: string; html: string };
  /** Choices from lists of the site, such as the licence; they have no size. */
  chosen?: string | undefined;
}

/**
 * Whether the change of an approved text is a small correction. Title and text are measured separately, so a
 * long text does not hide a replaced title. A new way to leave the site or reach a person is never small
 * (contacts.ts).
 */
export function isSmallChange(before: JudgedText, after: JudgedText): boolean {
  if (!isSmall(before.title, after.title) || !isSmall(readText(before), readText(after))) return false;
  return !hasNewContact(seenIn(before), seenIn(after));
}

const readText = ({ text, rendered }: JudgedText): string =>
  rendered ? [rendered.text, ...labelsIn(rendered.html)].join('\n') : text;

const seenIn = ({ title, text, rendered }: JudgedText): Seen => ({
  texts: [title, rendered?.text ?? text],
  html: rendered?.html ?? '',
});

function isSmall(before: string, after: string): boolean {
  const from = charactersOf(before);
  const to = charactersOf(after);
  const share = Math.floor(Math.max(from.length, to.length) * MAX_SMALL_SHARE);
  const most = Math.min(MAX_SMALL_CHARACTERS, Math.max(ONE_REPLACED, share));
  return changedPairs(from, to) <= most;
}

const SYMBOL = /[\p{So}\p{Extended_Pictographic}]/u;
const SPACE = /\s/u;

/**
 * Characters that count: letters and digits as compared (canonical.ts), symbols, and punctuation after
 * three signs in a row.
 */
function charactersOf(text: string): string[] {
  const characters: string[] = [];
  let row = 0;
  for (const character of text) {
    const form = formOf(character.codePointAt(0) as number);
    if (typeof form === 'string') {
      characters.push(...form);
      if (form !== '') row = 0;
    } else if (SYMBOL.test(character)) characters.push(character);
    else if (!SPACE.test(character) && ++row > MAX_PUNCTUATION) characters.push(character);
  }
  return characters;
}

/**
 * Number of pairs of neighbouring characters that only one of the texts has, in linear time. Moved text
 * counts by its new ends only.
 */
function changedPairs(before: readonly string[], after: readonly string[]): number {
  const pairs = new Map<string, number>();
  for (const pair of pairsOf(before)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  let added = 0;
  for (const pair of pairsOf(after)) {
    const left = pairs.get(pair) ?? 0;
    if (left === 0) added++;
    else pairs.set(pair, left - 1);
  }
  const removed = pairs.values().reduce((sum, left) => sum + left, 0);
  return Math.max(added, removed);
}

function* pairsOf(characters: readonly string[]): Generator<string> {
  if (characters.length === 0) return;
  for (let at = 0; at <= characters.length; at++)
    yield `${characters[at - 1] ?? ''}\u0000${characters[at] ?? ''}`;
}

/** Whether the change of an approved text waits for staff, by the operator's options. */
export function waitsForReview(
  settled: Pick<SiteOptions, 'holdArticles' | 'holdComments' | 'holdChanges'>,
  { kind, isNew }: { kind: 'article' | 'comment'; isNew: boolean },
  before: JudgedText,
  after: JudgedText,
): boolean {
  const policy = kind === 'comment' ? settled.holdComments : settled.holdArticles;
  if (policy === 'none' || (policy === 'first' && !isNew) || settled.holdChanges === 'never') return false;
  if (settled.holdChanges === 'size') return !isSmallChange(before, after);
  return (['title', 'text', 'chosen'] as const).some((part) => before[part] !== after[part]);
}
