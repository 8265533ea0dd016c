import shortcodes from 'emojibase-data/en/shortcodes/github.json';
import data from 'emojibase-data/zh/compact.json';

/** An emoji with its names. */
export interface Emoji {
  sign: string;
  /** In Chinese. */
  name: string;
  /** What finds it besides its name: Chinese keywords, and shortcodes as GitHub has them. */
  words: readonly string[];
}

/** Of emojibase: skin tones and hair, which are parts of others. */
const PARTS = 2;

const codesOf = (hexcode: string): string[] => {
  const codes = (shortcodes as Record<string, string | string[] | undefined>)[hexcode];
  return typeof codes === 'string' ? [codes] : (codes ?? []);
};

/**
 * Every emoji in the order of Unicode, smileys first. The module is half a megabyte of names: to be loaded
 * when somebody looks for one.
 */
export const EMOJIS: readonly Emoji[] = data
  .filter(({ group }) => group !== undefined && group !== PARTS)
  .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))
  .map(({ unicode, label, tags, hexcode }) => ({
    sign: unicode,
    name: label,
    words: [...codesOf(hexcode), ...(tags ?? [])],
  }));
