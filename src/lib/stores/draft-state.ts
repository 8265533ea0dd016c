import type { DraftFields, JournalEntry } from '../client/journal-entry.ts';
import { isAcknowledged } from './draft-entry.ts';
import { MESSAGES } from './draft-parts.ts';
import type { Seen, ServerVersion } from './draft-server.ts';
import type { SaveState } from './draft-types.ts';

/** A save under way: several calls when the server turns out to hold another version. */
export interface Save {
  readonly type: 'save';
  /** What is being saved; the author may have gone on typing. */
  readonly fields: DraftFields;
  readonly isPublishing: boolean;
  /** Whether the author asked for it and is told why it failed. */
  readonly isAsked: boolean;
  /** Whether the server's version must be loaded before anything is sent. */
  readonly isBehind: boolean;
  readonly calls: number;
}

/** All that one editor knows of its text. */
export interface DraftState {
  readonly entry: JournalEntry;
  /** What the editor was last given to show: at first, and after a conflict. */
  readonly shown: DraftFields;
  readonly saveState: SaveState;
  /** Why, where there is something to say. */
  readonly message: string | null;
  /** What stays to be said until the author goes on. */
  readonly notice: string | null;
  readonly needsSignIn: boolean;
  /** The server's version that the author has to choose about; nothing is sent meanwhile. */
  readonly conflict: ServerVersion | null;
  /** The overtaken version that the author has been asked about. */
  readonly asked: ServerVersion['overtaken'];
  /** What is being done with the server: one thing at a time. */
  readonly task: Save | { readonly type: 'deletion' } | null;
  /** Whether this browser could store the text. */
  readonly isStored: boolean;
  readonly isClosed: boolean;
  /** Whether the server keeps no revisions of published articles. */
  readonly isUnsupported: boolean;
  /** When the text is to be saved, in milliseconds since the epoch, as the next three. */
  readonly dueAt: number | null;
  readonly unsavedSince: number | null;
  readonly notBefore: number;
  /** How often saving has failed in a row. */
  readonly failures: number;
}

/** The state of a draft before its first event. */
export const initialState = (entry: JournalEntry): DraftState => ({
  entry,
  shown: entry.fields,
  saveState: 'clean',
  message: null,
  notice: null,
  needsSignIn: false,
  conflict: null,
  asked: null,
  task: null,
  isStored: true,
  isClosed: false,
  isUnsupported: false,
  dueAt: null,
  unsavedSince: null,
  notBefore: 0,
  failures: 0,
});

/** What the author is told of the state. */
export function told(state: DraftState): { state: SaveState; message: string | null } {
  const { isStored, saveState, message, notice, entry } = state;
  const isUnsafe = !isStored && ['local', 'dirty', 'saving'].includes(saveState) && !isAcknowledged(entry);
  if (isUnsafe) return { state: 'failed', message: MESSAGES.unsafe };
  return { state: saveState, message: message ?? notice };
}

/** How a text was found: as it should be, in conflict with the server's, or not to be compared with it. */
export interface Found {
  entry: JournalEntry;
  conflict?: ServerVersion | undefined;
  failure?: unknown;
  message?: string | undefined;
}

/** What happens to a draft. */
export type DraftEvent =
  | ({ type: 'opened' } & Omit<Found, 'entry'>)
  | { type: 'typed'; fields: Partial<DraftFields> }
  | { type: 'stored'; isStored: boolean }
  /** It is time to save, or the page may be about to go. */
  | { type: 'due' }
  /** Saving may work again. */
  | { type: 'retry' }
  /** The author saves, or publishes. */
  | { type: 'save'; isPublishing: boolean }
  /** The author is done with the text, which was saved. */
  | { type: 'finish' }
  | { type: 'delete' }
  | { type: 'resolve'; choice: 'mine' | 'theirs' | DraftFields }
  | { type: 'close' }
  /** Answers to the calls; without `seen` the article was there already, its version still to be seen. */
  | { type: 'sent'; id: string; seen: Seen | null }
  | { type: 'loaded'; version: ServerVersion }
  | { type: 'deleted' }
  | { type: 'failed'; error: unknown };

/** A call to the server; each answers with one event. */
export type Call =
  | { type: 'create'; fields: DraftFields; status: 'draft' | 'normal'; requestId: string }
  | { type: 'edit'; id: string; fields: DraftFields; status: 'draft' | 'normal'; seen: Seen }
  | { type: 'revise'; id: string; fields: DraftFields; seen: Seen }
  | { type: 'load'; id: string }
  | { type: 'delete'; id: string };

/** What is to be done, in this order. */
export type Effect =
  | { type: 'call'; call: Call }
  /** Writes the entry into the journal, or removes it there. */
  | { type: 'put'; entry: JournalEntry }
  | { type: 'remove'; entry: JournalEntry }
  | { type: 'tell'; sentence: string; needsSignIn: boolean }
  /** Fails what the author waits for. */
  | { type: 'reject'; error: unknown };
