import type { SiteOptions } from '../../../contract/site-options.ts';
import { PICTURE_URL } from '../../../contract/rules/pictures.ts';
import { canonicalise } from '../canonical.ts';

/** Changed characters of a small correction: a tenth of the text, but at least one replaced character. */
const MAX_SMALL_CHARACTERS = 30;
const MAX_SMALL_SHARE = 0.1;
const ONE_REPLACED = 2;

/** Uploaded pictures, addresses of other sites, mailboxes, and numbers of five or more digits. */
const CONTACTS = [
  new RegExp(`${PICTURE_URL}[\\w.-]+`, 'g'),
  /https?:\/\/[^\s/?#)>\]"']+/gi,
  /www\.[^\s/?#)>\]"']+/gi,
  /[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\d{5,}/g,
];

export interface JudgedText {
  title: string;
  /** Everything else that readers see. */
  text: string;
}

/**
 * Whether the change of an approved text is a small correction. Title and text are measured separately, so a
 * long text does not hide a replaced title. A new address, picture or number is never small.
 */
export function isSmallChange(before: JudgedText, after: JudgedText): boolean {
  const known = new Set(contactsOf(before));
  if (contactsOf(after).some((contact) => !known.has(contact))) return false;
  return isSmall(before.title, after.title) && isSmall(before.text, after.text);
}

const contactsOf = ({ title, text }: JudgedText): string[] =>
  CONTACTS.flatMap((contact) => `${title}\n${text}`.match(contact) ?? []).map((found) => found.toLowerCase());

function isSmall(before: string, after: string): boolean {
  const from = Array.from(canonicalise(before).text);
  const to = Array.from(canonicalise(after).text);
  const share = Math.floor(Math.max(from.length, to.length) * MAX_SMALL_SHARE);
  const most = Math.min(MAX_SMALL_CHARACTERS, Math.max(ONE_REPLACED, share));
  return changedPairs(from, to) <= most;
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
  return before.title !== after.title || before.text !== after.text;
}
