/** What is done with a text that has a listed word; the strictest of its words decides. */
export const WORD_ACTIONS = ['reject', 'hold', 'mask'] as const;
export type WordAction = (typeof WORD_ACTIONS)[number];

/** A word of the operator's list. Plain text: nothing in it is a pattern. */
export interface ListedWord {
  word: string;
  /** The operator's own, such as 广告. */
  category: string;
  action: WordAction;
}
