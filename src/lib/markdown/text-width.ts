/** Characters one em wide. */
export const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef`;
/** Average width of all other characters. */
const NARROW_EMS = 0.6;
const EACH_WIDE = new RegExp(`[${WIDE}]`, 'gu');

/** Estimates the width of a text in ems. */
export function emsOf(text: string): number {
  const wide = text.match(EACH_WIDE)?.length ?? 0;
  return wide + (text.length - wide) * NARROW_EMS;
}
