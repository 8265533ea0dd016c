import names from './emoji-names.json';

export interface Emoji {
  sign: string;
  name: string;
  /** Search terms in addition to its name: Chinese keywords, and GitHub's shortcodes. */
  words: readonly string[];
}

/**
 * All emoji in Unicode order, smileys first. The names are emojibase's. That package has 49 MB, so
 * emoji-names.json holds only the needed part; tests/unit/islands/editor/emoji-names.test.ts writes it. This
 * module has 0.15 MB and must be loaded on demand.
 */
export const EMOJIS: readonly Emoji[] = names.map(([sign = '', name = '', ...words]) => ({
  sign,
  name,
  words,
}));
