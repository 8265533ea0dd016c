// Not `/fast`: its double array takes nine seconds to build for 50,000 words that share a beginning.
import { AhoCorasick } from '@monyone/aho-corasick';
import type { ListedWord } from '../../contract/rules/moderation.ts';
import { loadWords } from '../text/jieba.ts';
import { createCutter } from '../text/word-cutter.ts';
import { canonicalise, GAP, type Canonical } from './canonical.ts';
import { leetTokens, toLeetForm } from './leet.ts';
import { turnOverrides } from './turned-text.ts';

/** A listed word and its range in a text, in UTF-16 units and including separators between its characters. */
export interface FoundWord {
  word: ListedWord;
  start: number;
  end: number;
}

export interface WordFilter {
  /** Finds listed words in `text`, in the order of their ends, at most 1,000. */
  find(text: string): Promise<FoundWord[]>;
}

const MASK = '＊';

let cutter: Promise<(text: string) => string[]> | undefined;
const loadCut = () => (cutter ??= loadWords().then(createCutter));

const MAX_MATCHES = 1_000;
const MAX_WORD_REACH = 12;
/** Maximum dictionary lookups per text. Beyond it, every match is a word: no author writes that much. */
const MAX_LOOKUPS = 2_000;

/**
 * Searches all words at once (Aho-Corasick), in linear time. Finds words in any disguise (canonical.ts),
 * but only where they are words: not `ass` in `class`, not 婚礼 between 结婚 and 礼物, and not across a
 * full stop. `form` is the canonical form of a word, if it is known.
 */
export function createWordFilter(words: readonly (ListedWord & { form?: string })[]): WordFilter {
  const byForm = new Map<string, ListedWord>();
  for (const word of words) {
    const form = word.form ?? canonicalise(word.word).text;
    const former = byForm.get(form);
    if (form !== '' && (!former || SEVERITY[word.action] > SEVERITY[former.action])) byForm.set(form, word);
  }
  const automaton = byForm.size === 0 ? null : new AhoCorasick([...byForm.keys()]);
  const byLeetForm = new Map<string, ListedWord>();
  for (const [form, word] of byForm) {
    const leet = toLeetForm(form);
    if (leet !== null && !byLeetForm.has(leet)) byLeetForm.set(leet, word);
  }

  async function findIn(text: string): Promise<FoundWord[]> {
    if (!automaton) return [];
    const canonical = canonicalise(text);
    const rangeOf = (begin: number, end: number) => ({
      start: canonical.starts[begin] ?? 0,
      end: canonical.ends[end - 1] ?? 0,
    });
    const found: FoundWord[] = [];
    for (const { begin, end } of byLeetForm.size === 0 ? [] : leetTokens(canonical)) {
      const word = byLeetForm.get(toLeetForm(canonical.text.slice(begin, end)) ?? '');
      if (word) found.push({ word, ...rangeOf(begin, end) });
      if (found.length === MAX_MATCHES) return found;
    }
    const matches = automaton.matchInText(canonical.text);
    if (matches.length === 0) return found;
    const dictionary = createDictionary(await loadCut());
    for (const { begin, end, keyword } of matches) {
      const word = byForm.get(keyword);
      if (!word || !isWord(canonical, begin, end, dictionary)) continue;
      found.push({ word, ...rangeOf(begin, end) });
      if (found.length === MAX_MATCHES) break;
    }
    return found.sort((a, b) => a.end - b.end);
  }

  return {
    async find(text) {
      const found = await findIn(text);
      const turned = turnOverrides(text);
      if (turned === null) return found;
      const shown = await findIn(turned.text);
      return [...found, ...shown.map((each) => ({ ...each, ...turned.rangeOf(each) }))];
    },
  };
}

const SEVERITY = { mask: 0, hold: 1, reject: 2 } as const;

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

interface Dictionary {
  isTorn(run: string, at: number): boolean;
  has(word: string): boolean;
}

function createDictionary(cut: (text: string) => string[]): Dictionary {
  const known = new Map<string, Set<number>>();
  const boundariesOf = (run: string): Set<number> | null => {
    const found = known.get(run);
    if (found || known.size >= MAX_LOOKUPS) return found ?? null;
    let sum = 0;
    const boundaries = new Set([0, ...cut(run).map((token) => (sum += token.length))]);
    known.set(run, boundaries);
    return boundaries;
  };
  return {
    isTorn: (run, at) => boundariesOf(run)?.has(at) === false,
    has: (word) => boundariesOf(word)?.size === 2,
  };
}

/**
 * Whether a match is read as the word. Its characters may be separated by symbols anywhere, by spaces if that
 * splits no other word, and by commas and the like only if they separate all characters.
 */
function isWord({ text, gaps }: Canonical, begin: number, end: number, dictionary: Dictionary): boolean {
  if (joinsOn(text, gaps, begin) || joinsOn(text, gaps, end)) return false;
  const inner = gaps.subarray(begin + 1, end);
  const widest = Math.max(...inner, 0);
  if (widest === GAP.paragraph) return false;
  const isLatin = isLatinUnit(text, begin) && isLatinUnit(text, end - 1);
  if (widest === GAP.stop || (widest === GAP.space && isLatin)) return isSpelt(gaps, begin, end);
  if (isLatin) return true;
  const from = runStart(gaps, begin);
  const to = runEnd(gaps, end, text.length);
  const first = text.slice(from, runEnd(gaps, begin + 1, to));
  const lastStart = runStart(gaps, end - 1);
  const isTornBefore = dictionary.isTorn(first, begin - from);
  const isTornAfter = dictionary.isTorn(text.slice(lastStart, to), end - lastStart);
  // A word of the dictionary, or one with a single space, must not split another word at either end. An
  // unknown word, or one with more separators, may do so at one end.
  const isRival =
    widest === GAP.space
      ? inner.filter((gap) => gap === GAP.space).length === 1
      : widest === GAP.none && dictionary.has(text.slice(begin, end));
  return isRival ? !isTornBefore && !isTornAfter : !(isTornBefore && isTornAfter);
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

function runStart(gaps: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_WORD_REACH && (gaps[start] ?? 0) < GAP.space) start -= 1;
  return start;
}

function runEnd(gaps: Uint8Array, at: number, most: number): number {
  let end = at;
  while (end < most && end - at < MAX_WORD_REACH && (gaps[end] ?? 0) < GAP.space) end += 1;
  return end;
}
