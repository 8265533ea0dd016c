import type { Generated } from 'kysely';
import type { WithheldState, WordAction } from '../../../contract/rules/moderation.ts';
import type { ModerationState } from '../../../contract/moderation-moves.ts';

export interface ModerationSchema {
  listed_words: ListedWordsTable;
  /** `words` are the listed words that held the item, as JSON. */
  withheld_items: WithheldItemsTable & { words: Generated<string> };
  written_prints: WrittenPrintsTable;
}

export function moderationOf(state: ModerationState): '' | 'held' | 'hidden' {
  if (state === 'shown') return '';
  return state === 'held' ? 'held' : 'hidden';
}

export interface ListedWordsTable {
  id: string;
  word: string;
  /** `canonicalise(word)`; unique, so words that compare equal are stored once. */
  form: string;
  category: string;
  action: WordAction;
  create_time: number;
}

export interface WithheldItemsTable {
  kind: 'article' | 'comment';
  id: string;
  state: WithheldState;
  /** Shown to its author. */
  note: string;
  /** `HoldReason[]` as JSON, for staff. */
  reasons: string;
  create_time: number;
  /** Whether a ban of its author has hidden it, whose end then restores it. */
  hidden_by_ban: 0 | 1;
}

/** Fingerprints of texts, which find repeats; stored for a day, those of withheld texts for 30. */
export interface WrittenPrintsTable {
  /** The author's newest article or comment with the text; it may be deleted. '' before migration 37. */
  item_id: string;
  /** Fingerprint of the canonical text (moderation/canonical.ts). */
  print: string;
  author_id: string;
  create_time: number;
  /** Whether its item was held, or was hidden or deleted by staff, and not restored since. */
  is_withheld: 0 | 1;
}
