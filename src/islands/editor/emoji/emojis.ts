import names from './emoji-names.json';

/** An emoji with its names. */
export interface Emoji {
  sign: string;
  /** In Chinese. */
  name: string;
  /** What finds it besides its name: Chinese keywords, and shortcodes as GitHub has them. */
  words: readonly string[];
}

/**
 * Every emoji in the order of Unicode, smileys first. Their names are emojibase's: of its 49 MB, which an
 * installation would carry for one language, emoji-names.json holds what is shown here, written by
 * tests/unit/islands/editor/emoji-names.test.ts. The module is 0.15 MB: to be loaded when somebody looks
 * for one.
 */
export const EMOJIS: readonly Emoji[] = names.map(([sign = '', name = '', ...words]) => ({
  sign,
  name,
  words,
}));
