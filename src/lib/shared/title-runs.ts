/** Width of a phone's line of a page title, in em. */
const MAX_RUN_EM = 12;
const LATIN_EM = 0.55;
/** Letters and digits without a pause, with the sign after them, which never begins a line. */
const RUNS = /[\p{L}\p{N}\p{M}]+[^\p{L}\p{N}\p{M}\s]?/gu;
/** Radicals, the first of the characters as wide as they are high. */
const FIRST_FULL_WIDTH = '\u2E80';

/**
 * Whether a title has a run without pauses that may be wider than a line. Titles break at pauses only
 * (`any-title` in uno.config.ts), and a browser that has to break a wider run does so anywhere, even before
 * punctuation; such a title needs the usual line breaks.
 */
export function hasLongRun(title: string): boolean {
  for (const [run] of title.matchAll(RUNS)) {
    let width = 0;
    for (const character of run) width += character >= FIRST_FULL_WIDTH ? 1 : LATIN_EM;
    if (width > MAX_RUN_EM) return true;
  }
  return false;
}
