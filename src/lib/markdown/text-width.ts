/** Characters one em wide. */
export const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef`;
/** Average width of all other characters. */
const NARROW_EMS = 0.6;
const WIDE_RUN = new RegExp(`[${WIDE}]+`, 'gu');
const PAIRS = /[\ud800-\udbff]/g;

/** Estimates the width of a text in ems. */
export function emsOf(text: string): number {
  let wide = 0;
  for (const run of text.match(WIDE_RUN) ?? []) wide += run.length - (run.match(PAIRS)?.length ?? 0);
  return wide + (text.length - wide) * NARROW_EMS;
}
