import type { WithheldState, WordAction } from '../../contract/moderation.ts';

/** Tables of what is judged before it is shown, and of what is withheld from readers. */
export interface ModerationSchema {
  listed_words: ListedWordsTable;
  withheld_items: WithheldItemsTable;
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

/** An article or comment that readers do not see, and why. */
export interface WithheldItemsTable {
  kind: 'article' | 'comment';
  id: string;
  state: WithheldState;
  /** What its author is told. */
  note: string;
  /** `HoldReason[]` as JSON, for staff. */
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
