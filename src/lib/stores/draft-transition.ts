import { isCallError } from '../client/call-error.ts';
import type { JournalEntry } from '../client/journal-entry.ts';
import { isBlank, isUntouched } from './draft-fields.ts';
import { MESSAGES } from './draft-parts.ts';
import { failureOf } from './draft-server.ts';
import type { Call, DraftState, Effect } from './draft-state.ts';
import type { SaveState } from './draft-types.ts';

const DEBOUNCE_MS = 1_500;
/** Somebody who never pauses is saved this often. */
const LONGEST_MS = 10_000;
const RETRIES_MS = [2_000, 5_000, 10_000, 30_000];

/** What an event brings along: the time, in milliseconds since the epoch, and a name that nobody else has. */
export interface Moment {
  readonly now: number;
  readonly newId: string;
}
/** A state while an event is applied to it, with the effects so far. */
export type Transition = DraftState & Moment & { readonly effects: readonly Effect[] };

export const run = (draft: Transition, ...effects: Effect[]): Transition => ({
  ...draft,
  effects: [...draft.effects, ...effects],
});

export const call = (draft: Transition, made: Call) => run(draft, { type: 'call', call: made });

export const tell = (draft: Transition, saveState: SaveState, message: string | null = null): Transition => ({
  ...draft,
  saveState,
  message,
});

/** Keeps the text in this browser. */
export function put(draft: Transition, changed: JournalEntry = draft.entry): Transition {
  const entry = { ...changed, seq: changed.seq + 1 };
  return run({ ...draft, entry }, { type: 'put', entry });
}

/** Plans the next save: soon, but not while somebody is typing, though never much later. */
export function schedule(draft: Transition): Transition {
  const { entry, now, notBefore } = draft;
  const idle = { ...draft, dueAt: null };
  if (draft.conflict || draft.isClosed) return idle;
  // Without title and content there is nothing that a server would take.
  if (isBlank(entry.fields))
    return entry.id === null && isUntouched(entry.fields)
      ? tell(idle, 'clean')
      : tell(idle, 'local', MESSAGES.blank);
  const unsavedSince = draft.unsavedSince ?? now;
  const dueAt = Math.max(Math.min(now + DEBOUNCE_MS, unsavedSince + LONGEST_MS), notBefore);
  return { ...draft, unsavedSince, dueAt };
}

/** The text was saved, or saving may work again: the past does not count any more. */
export const atOnce = (draft: Transition): Transition => ({
  ...draft,
  failures: 0,
  notBefore: 0,
  unsavedSince: null,
});

/** What the author asked for, and waits for: why it failed is said at once. */
export function announce(draft: Transition, error: unknown): Transition {
  const failure = failureOf(error);
  if (failure === 'signed-out')
    return run(draft, { type: 'tell', sentence: MESSAGES.signedOut, needsSignIn: true });
  // Also what the server has no time for now: it says when to try again.
  const isRefused = failure === 'refused' || failure === 'later';
  if (!isRefused || !isCallError(error, 'refused')) return draft;
  return run(draft, { type: 'tell', sentence: error.message, needsSignIn: false });
}

/** What a failure means for the text, and when saving is tried again: the more often it fails the later. */
export function explain(draft: Transition, error: unknown): Transition {
  const failure = failureOf(error);
  const next = { ...draft, needsSignIn: failure === 'signed-out' };
  // The same text is not sent again, and another one like any that has just begun: not at every key.
  if (failure === 'refused' || failure === 'gone')
    return tell({ ...next, unsavedSince: null }, 'failed', error instanceof Error ? error.message : '');
  if (failure === 'unsupported') return tell({ ...next, isUnsupported: true }, 'local', MESSAGES.unsupported);
  const wait = isCallError(error, 'refused') ? MESSAGES.busy : MESSAGES.later;
  const notBefore = draft.now + (RETRIES_MS[draft.failures] ?? 0);
  const failures = Math.min(draft.failures + 1, RETRIES_MS.length - 1);
  const local = tell({ ...next, notBefore, failures }, 'local', next.needsSignIn ? MESSAGES.signedOut : wait);
  return schedule(local);
}
