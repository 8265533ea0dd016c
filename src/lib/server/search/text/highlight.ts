import { escapeHtml } from '../../../markdown/escape-html.ts';
import { foldWithMap } from './fold.ts';
import { graphemeEnd, graphemeStart } from './graphemes.ts';

const SNIPPET_CHARACTERS = 120;
const LEAD_CHARACTERS = 24;
const MAX_WORD_CHARACTERS = 24;
// Searches a body in blocks until one has a match, to avoid folding 200,000 characters for one snippet.
const BLOCK_CHARACTERS = 20_000;
const BLOCK_OVERLAP_CHARACTERS = 400;
const MAX_MATCHES_PER_WORD = 400;

/** A match in UTF-16 units of the original. */
interface Match {
  word: number;
  start: number;
  end: number;
}

/** Returns all of `text` as safe HTML, with `<mark>` around every occurrence of `words` (folded). */
export function highlightAll(text: string, words: readonly string[]): string {
  return markUp(text, 0, text.length, findMatches(text, words));
}

/**
 * Returns about 120 characters of `text` where `words` (folded) are closest together, starting at a sentence
 * or word, as safe HTML with `<mark>`, and … where it was cut. Without a match, returns the beginning.
 */
export function highlightSnippet(text: string, words: readonly string[]): string {
  for (let from = 0; from < text.length; from += BLOCK_CHARACTERS - BLOCK_OVERLAP_CHARACTERS) {
    const to = from + BLOCK_CHARACTERS >= text.length ? text.length : from + BLOCK_CHARACTERS;
    const matches = findMatches(text.slice(from, to), words);
    if (matches.length > 0) {
      for (const match of matches) {
        match.start += from;
        match.end += from;
      }
      return cutAround(text, matches);
    }
    if (to === text.length) break;
  }
  return cutAround(text, []);
}

function findMatches(text: string, words: readonly string[]): Match[] {
  const folded = foldWithMap(text);
  const matches: Match[] = [];
  words.forEach((word, index) => {
    let at = folded.text.indexOf(word);
    for (let count = 0; at !== -1 && count < MAX_MATCHES_PER_WORD; count += 1) {
      const [start, end] = folded.originalRange(at, at + word.length);
      matches.push({ word: index, start, end });
      at = folded.text.indexOf(word, at + word.length);
    }
  });
  return matches.sort((a, b) => a.start - b.start);
}

function cutAround(text: string, matches: readonly Match[]): string {
  const [first, last] = densest(matches);
  const span = (last?.end ?? 0) - (first?.start ?? 0);
  const lead = Math.max(Math.min(LEAD_CHARACTERS, SNIPPET_CHARACTERS - span), 0);
  const latest = Math.max(text.length - SNIPPET_CHARACTERS, 0);
  const start = Math.min(Math.max((first?.start ?? 0) - lead, 0), Math.max(latest, 0), first?.start ?? 0);
  const end = Math.max(Math.min(start + SNIPPET_CHARACTERS, text.length), first?.end ?? 0);
  const from = start === 0 ? 0 : openingNear(text, start, first?.start ?? 0);
  const to = end === text.length ? end : wordEndNear(text, end, last?.end ?? 0);
  const inside = matches.filter((match) => match.end > from && match.start < to);
  const html = markUp(text, from, to, inside).trim();
  return `${from > 0 ? '…' : ''}${html}${to < text.length ? '…' : ''}`;
}

const SENTENCE_END = /[。！？!?；;…\n]["”’」』）)]*\s*/;
const BETWEEN_WORDS = /^[\s，、,：:。；;）)”’」』》\]]+/u;

/** Returns where a snippet starts near `start`: at a sentence, or else at a word; not after `latest`. */
function openingNear(text: string, start: number, latest: number): number {
  const window = text.slice(start, Math.min(start + LEAD_CHARACTERS, latest));
  const sentence = SENTENCE_END.exec(window);
  if (sentence) return start + sentence.index + sentence[0].length;
  const word = wordAround(text, start);
  const at = word && word.start < start && word.end <= latest ? word.end : (word?.start ?? start);
  const signs = BETWEEN_WORDS.exec(text.slice(at, Math.min(at + LEAD_CHARACTERS, latest)))?.[0].length ?? 0;
  return at + signs;
}

/** Returns where a snippet ends near `end`: at the end of a word; not before `earliest`. */
function wordEndNear(text: string, end: number, earliest: number): number {
  const word = wordAround(text, end);
  if (!word || word.start === end) return end;
  return word.start > earliest ? word.start : word.end;
}

const words = new Intl.Segmenter('zh', { granularity: 'word' });

function wordAround(text: string, index: number): { start: number; end: number } {
  const from = graphemeStart(text, Math.max(index - MAX_WORD_CHARACTERS, 0));
  const to = graphemeEnd(text, Math.min(index + MAX_WORD_CHARACTERS, text.length));
  const found = words.segment(text.slice(from, to)).containing(index - from);
  const grapheme = { start: graphemeStart(text, index), end: graphemeEnd(text, index) };
  if (!found) return grapheme;
  const [start, end] = [from + found.index, from + found.index + found.segment.length];
  // A word that fills the whole window is not a readable word but a URL or base64.
  return (start === from && from > 0) || (end === to && to < text.length) ? grapheme : { start, end };
}

/** Returns the first and last match of the snippet-long range with the most different words, then matches. */
function densest(matches: readonly Match[]): [Match | undefined, Match | undefined] {
  const counts = new Map<number, number>();
  let best = { score: 0, first: matches[0], last: matches[0] };
  let tail = 0;
  matches.forEach((match, head) => {
    counts.set(match.word, (counts.get(match.word) ?? 0) + 1);
    for (
      let oldest = matches[tail];
      oldest && match.end - oldest.start > SNIPPET_CHARACTERS && tail < head;
      oldest = matches[tail]
    ) {
      const left = (counts.get(oldest.word) ?? 0) - 1;
      if (left > 0) counts.set(oldest.word, left);
      else counts.delete(oldest.word);
      tail += 1;
    }
    const score = counts.size * matches.length + (head - tail);
    if (score > best.score) best = { score, first: matches[tail], last: match };
  });
  return [best.first, best.last];
}

/** Escapes the range [from, to) of `text` and marks matches, merged and extended to whole graphemes. */
function markUp(text: string, from: number, to: number, matches: readonly Match[]): string {
  let html = '';
  let done = from;
  let open = -1;
  let close = -1;
  const flush = () => {
    if (open < 0) return;
    html += `${plain(text.slice(done, open))}<mark>${plain(text.slice(open, close))}</mark>`;
    done = close;
  };
  for (const match of matches) {
    const start = Math.max(graphemeStart(text, match.start), from);
    const end = Math.min(graphemeEnd(text, match.end), to);
    if (start >= end) continue;
    if (open >= 0 && start <= close) {
      close = Math.max(close, end);
      continue;
    }
    flush();
    [open, close] = [start, end];
  }
  flush();
  return html + plain(text.slice(done, to));
}

const plain = (text: string): string => escapeHtml(text.toWellFormed().replace(/\s+/gu, ' '));
