import type { WithheldState, WordAction } from '../../contract/moderation.ts';
import type { ModerationState } from '../../contract/moderation-moves.ts';

/** Tables of what is judged before it is shown, and of what is withheld from readers. */
export interface ModerationSchema {
  listed_words: ListedWordsTable;
  withheld_items: WithheldItemsTable;
  written_prints: WrittenPrintsTable;
}

/** What the column `articles.moderation` says of an article in a state. */
export function moderationOf(state: ModerationState): '' | 'held' | 'hidden' {
  if (state === 'shown') return '';
  return state === 'held' ? 'held' : 'hidden';
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

/** Fingerprints of texts, kept for a day (30 days of withheld ones), by which repeats are found. */
export interface WrittenPrintsTable {
  /** The newest article or comment of the author with the text; it may be gone. Empty before migration 37. */
  item_id: string;
  /** Of the canonical text (moderation/canonical.ts). */
  print: string;
  author_id: string;
  create_time: number;
  /** Whether its item was held, hidden or deleted by staff and not restored since. */
  is_withheld: 0 | 1;
}
