// Not `/fast`: its double array takes nine seconds to build for 50,000 words that share a beginning.
import { AhoCorasick } from '@monyone/aho-corasick';
import type { ListAction, ListedWord } from '../../contract/rules/moderation.ts';
import { canonicalise, GAP, type Canonical } from './canonical.ts';

/** A listed word and its range in a text, in UTF-16 units and including separators between its characters. */

export interface FoundWord {
  word: ListedWord;
  start: number;
  end: number;
}

export interface WordFilter {
  /** Finds listed words in `text`, in the order of their ends, at most 1,000. */
  find(text: string): FoundWord[];
}

/** A range of a canonical text, and the widest separator inside it. */
interface Match {
  begin: number;
  end: number;
  widest: number;
}

const MASK = '＊';
const MAX_MATCHES = 1_000;
const MAX_HELD_WORDS = 20;

/**
 * Searches all words at once (Aho-Corasick), in linear time. Finds words in any disguise (canonical.ts) by
 * their letters alone: 毒品 also in 消毒品牌, but not `ass` in `class`, and nothing across a full stop. A word
 * inside an exception of the list is not found. `form` is the canonical form of a word, if it is known.
 */
export function createWordFilter(words: readonly (ListedWord<ListAction> & { form?: string })[]): WordFilter {
  const byForm = new Map<string, ListedWord<ListAction>>();
  for (const word of words) {
    const form = word.form ?? canonicalise(word.word).text;
    const former = byForm.get(form);
    if (form !== '' && (!former || SEVERITY[word.action] > SEVERITY[former.action])) byForm.set(form, word);
  }
  const automaton = byForm.size === 0 ? null : new AhoCorasick([...byForm.keys()]);
  const byLeetForm = new Map<string, ListedWord>();
  for (const [form, word] of byForm) {
    const leet = toLeetForm(form);
    if (leet !== null && isWord(word) && !byLeetForm.has(leet)) byLeetForm.set(leet, word);
  }

  function findIn(text: string): FoundWord[] {
    if (!automaton) return [];
    const canonical = canonicalise(text);
    const matches: (Match & { word: ListedWord })[] = [];
    const excepted: Match[] = [];
    for (const { begin, end } of byLeetForm.size === 0 ? [] : leetTokens(canonical)) {
      const word = byLeetForm.get(toLeetForm(canonical.text.slice(begin, end)) ?? '');
      if (word) matches.push({ word, begin, end, widest: GAP.none });
    }
    for (const { begin, end, keyword } of automaton.matchInText(canonical.text)) {
      const word = byForm.get(keyword);
      const widest = widestInside(canonical.gaps, begin, end);
      if (!word || !isRead(canonical, { begin, end, widest })) continue;
      if (isWord(word)) matches.push({ word, begin, end, widest });
      else excepted.push({ begin, end, widest });
    }
    const isExcepted = excepted.length === 0 ? () => false : coverOf(excepted, canonical.text.length);
    return matches
      .filter((match) => !isExcepted(match))
      .slice(0, MAX_MATCHES)
      .map(({ word, begin, end }) => ({
        word,
        start: canonical.starts[begin] ?? 0,
        end: canonical.ends[end - 1] ?? 0,
      }))
      .sort((a, b) => a.end - b.end);
  }

  return {
    find(text) {
      const found = findIn(text);
      const turned = turnOverrides(text);
      if (turned === null) return found;
      const shown = findIn(turned.text);
      return [...found, ...shown.map((each) => ({ ...each, ...turned.rangeOf(each) }))];
    },
  };
}

const SEVERITY = { except: -1, mask: 0, hold: 1, reject: 2 } as const;

const isWord = (listed: ListedWord<ListAction>): listed is ListedWord => listed.action !== 'except';

/** Words that are stored with an item. */
export const distinctWords = (found: readonly FoundWord[]): string[] =>
  [...new Set(found.map(({ word }) => word.word))].slice(0, MAX_HELD_WORDS);

export function mask(text: string, found: readonly FoundWord[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    masked += text.slice(at, from) + text.slice(from, end).replace(/[\p{L}\p{N}]\p{M}*/gu, MASK);
    at = end;
  }
  return masked + text.slice(at);
}

/**
 * Returns a test whether a match is inside one of `exceptions` that is written at least as tightly: what an
 * author separates inside an exception is separated inside the word too.
 */
function coverOf(exceptions: readonly Match[], length: number): (match: Match) => boolean {
  /** For each width of separators and each place, the farthest end of exceptions that begin up to there. */
  const reaches = Object.values(GAP).map(() => new Uint32Array(length));
  for (const { begin, end, widest } of exceptions)
    for (const reach of reaches.slice(widest)) reach[begin] = Math.max(reach[begin] ?? 0, end);
  for (const reach of reaches)
    for (let at = 1; at < length; at += 1) reach[at] = Math.max(reach[at] ?? 0, reach[at - 1] ?? 0);
  return ({ begin, end, widest }) => (reaches[widest]?.[begin] ?? 0) >= end;
}

function widestInside(gaps: Uint8Array, begin: number, end: number): number {
  let widest: number = GAP.none;
  for (let at = begin + 1; at < end; at += 1) widest = Math.max(widest, gaps[at] ?? 0);
  return widest;
}

/**
 * Whether a match is read as the word. Symbols may separate its characters anywhere, and spaces those of
 * Chinese; spaces in Latin words, commas and the like only if they separate all characters. Latin words are
 * whole words.
 */
function isRead({ text, gaps }: Canonical, { begin, end, widest }: Match): boolean {
  if (widest === GAP.paragraph || joinsOn(text, gaps, begin) || joinsOn(text, gaps, end)) return false;
  const isLatin = isLatinUnit(text, begin) && isLatinUnit(text, end - 1);
  return widest === GAP.stop || (widest === GAP.space && isLatin) ? isSpelt(gaps, begin, end) : true;
}

function joinsOn(text: string, gaps: Uint8Array, at: number): boolean {
  return gaps[at] === GAP.none && isLatinUnit(text, at - 1) && isLatinUnit(text, at);
}

function isLatinUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isSpelt(gaps: Uint8Array, begin: number, end: number): boolean {
  for (let at = begin; at <= end; at += 1) if ((gaps[at] ?? 0) < GAP.space) return false;
  return true;
}

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

function toLeetForm(canonical: string): string | null {
  if (canonical.length < MIN_WORD_CHARACTERS || !/^[a-z0-9]+$/.test(canonical)) return null;
  const form = canonical.replace(/[0134578l]/g, (sign) => READ_AS[sign] ?? sign);
  return /\d/.test(form) ? null : form;
}

/**
 * Ranges of words that may have digits in place of letters: Latin letters and digits without separators, with
 * at least as many letters as digits.
 */
function* leetTokens({ text, gaps }: Canonical): Generator<{ begin: number; end: number }> {
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

/**
 * Displays the following text from right to left, Chinese too, up to its end mark or the end of the
 * paragraph.
 */
const OVERRIDE = /\u202e([^\u202c\n]*)/g;

/**
 * Returns a text as displayed when right-to-left overrides reverse parts of it, and a function that maps
 * displayed ranges to written ones; null for a text without overrides.
 */
function turnOverrides(text: string): {
  text: string;
  rangeOf(shown: { start: number; end: number }): { start: number; end: number };
} | null {
  if (!text.includes('\u202e')) return null;
  const parts: { start: number; end: number }[] = [];
  const turned = text.replace(OVERRIDE, (whole, part: string, at: number) => {
    parts.push({ start: at + 1, end: at + whole.length });
    return `\u202e${[...part].toReversed().join('')}`;
  });
  return {
    text: turned,
    rangeOf(shown) {
      const touched = parts.filter(({ start, end }) => shown.start < end && shown.end > start);
      const [part] = touched;
      if (!part) return shown;
      if (shown.start >= part.start && shown.end <= part.end)
        return { start: part.start + part.end - shown.end, end: part.start + part.end - shown.start };
      const last = touched.at(-1) ?? part;
      return { start: Math.min(shown.start, part.start), end: Math.max(shown.end, last.end) };
    },
  };
}
