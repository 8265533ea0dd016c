import { isCallError } from '../../client/call-error.ts';
import type { JournalEntry } from '../../client/journal/journal-entry.ts';
import { isBlank, isUntouched } from './draft-fields.ts';
import { MESSAGES } from './draft-parts.ts';
import { failureOf } from './draft-server.ts';
import type { Call, DraftState, Effect } from './draft-state.ts';
import type { SaveState } from './draft-types.ts';

const DEBOUNCE_MS = 1_500;
/** Maximum autosave interval. */
const MAX_AUTOSAVE_INTERVAL_MS = 10_000;
const RETRY_DELAYS_MS = [2_000, 5_000, 10_000, 30_000];

/** Time of an event in milliseconds since the epoch, and a unique id. */
export interface Moment {
  readonly now: number;
  readonly newId: string;
}
export type Transition = DraftState & Moment & { readonly effects: readonly Effect[] };

export const run = (draft: Transition, ...effects: Effect[]): Transition => ({
  ...draft,
  effects: [...draft.effects, ...effects],
});

export const call = (draft: Transition, made: Call) => run(draft, { type: 'call', call: made });

export const withSaveState = (
  draft: Transition,
  saveState: SaveState,
  message: string | null = null,
): Transition => ({
  ...draft,
  saveState,
  message,
});

export function put(draft: Transition, changed: JournalEntry = draft.entry): Transition {
  const entry = { ...changed, seq: changed.seq + 1 };
  return run({ ...draft, entry }, { type: 'put', entry });
}

export function schedule(draft: Transition): Transition {
  const { entry, now, notBefore } = draft;
  const idle = { ...draft, dueAt: null };
  if (draft.conflict || draft.isClosed) return idle;
  // The server does not accept a draft with neither title nor content.
  if (isBlank(entry.fields))
    return entry.id === null && isUntouched(entry.fields)
      ? withSaveState(idle, 'clean')
      : withSaveState(idle, 'local', MESSAGES.blank);
  const unsavedSince = draft.unsavedSince ?? now;
  const dueAt = Math.max(Math.min(now + DEBOUNCE_MS, unsavedSince + MAX_AUTOSAVE_INTERVAL_MS), notBefore);
  return { ...draft, unsavedSince, dueAt };
}

export const atOnce = (draft: Transition): Transition => ({
  ...draft,
  failures: 0,
  notBefore: 0,
  unsavedSince: null,
});

export function announce(draft: Transition, error: unknown): Transition {
  const failure = failureOf(error);
  if (failure === 'signed-out')
    return run(draft, { type: 'notify', sentence: MESSAGES.signedOut, needsSignIn: true });
  // Includes `later`: a busy server says when to try again.
  const isRefused = failure === 'refused' || failure === 'later';
  if (!isRefused || !isCallError(error, 'refused')) return draft;
  return run(draft, { type: 'notify', sentence: error.message, needsSignIn: false });
}

/** Sets the state after a failure and schedules the next attempt. The delay grows with each failure. */
export function explain(draft: Transition, error: unknown): Transition {
  const failure = failureOf(error);
  const next = { ...draft, needsSignIn: failure === 'signed-out' };
  // The same text is not sent again. A changed text waits for the usual pause, so not every key sends it.
  if (failure === 'refused' || failure === 'gone')
    return withSaveState(
      { ...next, unsavedSince: null },
      'failed',
      error instanceof Error ? error.message : '',
    );
  if (failure === 'unsupported')
    return withSaveState({ ...next, isUnsupported: true }, 'local', MESSAGES.unsupported);
  const wait = isCallError(error, 'refused') ? MESSAGES.busy : MESSAGES.later;
  const notBefore = draft.now + (RETRY_DELAYS_MS[draft.failures] ?? 0);
  const failures = Math.min(draft.failures + 1, RETRY_DELAYS_MS.length - 1);
  const local = withSaveState(
    { ...next, notBefore, failures },
    'local',
    next.needsSignIn ? MESSAGES.signedOut : wait,
  );
  return schedule(local);
}
