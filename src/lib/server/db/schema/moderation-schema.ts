import type { Generated } from 'kysely';
import type { ListAction, WithheldState } from '../../../contract/rules/moderation.ts';
import type { ModerationState } from '../../../contract/moderation-moves.ts';

export interface ModerationSchema {
  listed_words: ListedWordsTable;
  /** `words` are the listed words that held the item, as JSON. */
  withheld_items: WithheldItemsTable & { words: Generated<string> };
  moderation_decisions: ModerationDecisionsTable;
  pending_changes: PendingChangesTable;
  /** Fingerprints of texts, which find repeats; stored for a day, those of withheld texts for 30. */
  written_prints: {
    /** The author's newest article or comment with the text; it may be deleted. '' before migration 37. */
    item_id: string;
    /** Fingerprint of the canonical text (moderation/canonical.ts). */
    print: string;
    author_id: string;
    create_time: number;
    /** Whether its item was held, or was hidden or deleted by staff, and not restored since. */
    is_withheld: 0 | 1;
  };
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
  action: ListAction;
  create_time: number;
}

export interface WithheldItemsTable {
  kind: 'article' | 'comment';
  id: string;
  state: WithheldState;
  /** Shown to its author. */
  note: string;
  /** `HoldReason[]` as JSON, for staff; an item that was refused keeps those for which it was pending. */
  reasons: string;
  create_time: number;
  /** Whether a ban of its author has hidden it, whose end then restores it. */
  hidden_by_ban: 0 | 1;
}

/** Decisions of staff, except the items that a ban hides and restores. */
export interface ModerationDecisionsTable {
  id: string;
  kind: 'article' | 'comment';
  item_id: string;
  /** State of the item after the decision. */
  state: ModerationState;
  /** `HoldReason[]` as JSON: why the item was pending, or was before it was refused. */
  reasons: string;
  note: string;
  /** Null for the operator on the command line. */
  actor_id: string | null;
  create_time: number;
  /** The text that was judged; empty if a newer one has replaced it, and for a change that was refused. */
  title: string;
  content: string;
  /** The other fields of an article that readers see, as JSON; '' for comments. */
  attributes: string;
}

/** The change of an approved article or comment that readers do not see. */
export interface PendingChangesTable {
  kind: 'article' | 'comment';
  id: string;
  author_id: string;
  state: 'held' | 'refused';
  /** `HoldReason[]` as JSON. */
  reasons: string;
  /** Why staff refused it, for its author. */
  note: string;
  /** JSON: the fields of the article as its author submitted them, or `content` of the comment. */
  fields: string;
  create_time: number;
}
