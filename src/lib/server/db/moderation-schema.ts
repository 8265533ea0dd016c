import type { WordAction } from '../../contract/moderation.ts';

/** Tables of what is judged before it is shown. */
export interface ModerationSchema {
  listed_words: ListedWordsTable;
  held_items: HeldItemsTable;
  written_prints: WrittenPrintsTable;
}

/** The operator's list of words. */
export interface ListedWordsTable {
  id: string;
  word: string;
  /** `canonicalise(word)`; unique: two that are compared alike are one. */
  form: string;
  category: string;
  action: WordAction;
  create_time: number;
}

/** Why an article or comment waits for approval. */
export interface HeldItemsTable {
  kind: 'article' | 'comment';
  id: string;
  /** `HoldReason[]` as JSON. */
  reasons: string;
  create_time: number;
}

/** Who has written which text in the last day, so that the same words everywhere are noticed. */
export interface WrittenPrintsTable {
  /** Of the canonical text (moderation/canonical.ts). */
  print: string;
  author_id: string;
  create_time: number;
}
