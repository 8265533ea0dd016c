import type { DraftFields, JournalEntry } from '../../client/journal/journal-entry.ts';
import { isAcknowledged } from './draft-entry.ts';
import { MESSAGES } from './draft-parts.ts';
import type { Seen, ServerVersion } from './draft-server.ts';
import type { SaveState } from './draft-types.ts';

export interface Save {
  readonly type: 'save';
  readonly fields: DraftFields;
  readonly isPublishing: boolean;
  readonly isAsked: boolean;
  readonly isBehind: boolean;
  readonly calls: number;
}

export interface DraftState {
  readonly entry: JournalEntry;
  /** Text that the editor was last given to show: initially and after a conflict. */
  readonly shown: DraftFields;
  readonly saveState: SaveState;
  readonly message: string | null;
  readonly notice: string | null;
  readonly needsSignIn: boolean;
  readonly conflict: ServerVersion | null;
  readonly asked: ServerVersion['overtaken'];
  readonly task: Save | { readonly type: 'deletion' } | null;
  readonly isStored: boolean;
  readonly isClosed: boolean;
  /** Whether the server keeps no revisions of published articles. */
  readonly isUnsupported: boolean;
  /** Milliseconds since the epoch, like the next two fields; null when no save is scheduled. */
  readonly dueAt: number | null;
  readonly unsavedSince: number | null;
  readonly notBefore: number;
  readonly failures: number;
}

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

export function shownState(state: DraftState): { state: SaveState; message: string | null } {
  const { isStored, saveState, message, notice, entry } = state;
  const isUnsafe = !isStored && ['local', 'dirty', 'saving'].includes(saveState) && !isAcknowledged(entry);
  if (isUnsafe) return { state: 'failed', message: MESSAGES.unsafe };
  return { state: saveState, message: message ?? notice };
}

export interface Found {
  entry: JournalEntry;
  conflict?: ServerVersion | undefined;
  failure?: unknown;
  message?: string | undefined;
}

export type DraftEvent =
  | ({ type: 'opened' } & Omit<Found, 'entry'>)
  | { type: 'typed'; fields: Partial<DraftFields> }
  | { type: 'stored'; isStored: boolean }
  | { type: 'due' }
  | { type: 'retry' }
  | { type: 'save'; isPublishing: boolean }
  | { type: 'finish' }
  | { type: 'delete' }
  | { type: 'resolve'; choice: 'mine' | 'theirs' | DraftFields }
  | { type: 'close' }
  /** Responses to calls. `seen` is null if the article already existed and its version is unknown. */
  | { type: 'sent'; id: string; seen: Seen | null }
  | { type: 'loaded'; version: ServerVersion }
  | { type: 'deleted' }
  | { type: 'failed'; error: unknown };

export type Call =
  | { type: 'create'; fields: DraftFields; status: 'draft' | 'normal'; requestId: string }
  | { type: 'edit'; id: string; fields: DraftFields; status: 'draft' | 'normal'; seen: Seen }
  | { type: 'revise'; id: string; fields: DraftFields; seen: Seen }
  | { type: 'load'; id: string }
  | { type: 'delete'; id: string };

export type Effect =
  | { type: 'call'; call: Call }
  | { type: 'put'; entry: JournalEntry }
  | { type: 'remove'; entry: JournalEntry }
  | { type: 'notify'; sentence: string; needsSignIn: boolean }
  | { type: 'reject'; error: unknown };
