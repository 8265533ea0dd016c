import { CallError } from '../../client/call-error.ts';
import { checkFields } from '../../client/check.ts';
import { readSignIn } from '../../client/cookies.ts';
import { openJournal, type Journal } from '../../client/journal/journal.ts';
import { createOwnSaves } from '../../client/journal/own-saves.ts';
import { onDevice } from '../../client/stored.ts';
import { foldName } from '../../contract/rules/names.ts';
import { call, goToSignIn } from '../api.ts';
import type { DraftParts } from './draft-parts.ts';
import { listUnfinished, openText, type DraftTarget, type OpenParts, type Unfinished } from './draft-open.ts';
import { claimEntry, openPresence } from './draft-presence.ts';
import { createDraftServer } from './draft-server.ts';
import type { Draft } from './draft-types.ts';
import { $session } from '../account/session.ts';
import { showError } from '../toasts.ts';

let journal: Journal | null = null;
const closing = new Set<Promise<void>>();
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Opens a text of the signed-in user with everything typed in this browser that did not reach the server,
 * compared with the server's version (`$conflict` if both have changed).
 * @param target `{ id: null }` for /write: the newest unfinished text, or an empty one
 * @throws CallError `signed-out`; `refused` if the user has no such article; `unreachable`
 */
export async function openDraft(target: DraftTarget): Promise<Draft> {
  await othersClosed();
  const draft = await openText(target, browserParts());
  const close = () => {
    const closed = draft.close().finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  };
  return { ...draft, close };
}

export async function unfinished(): Promise<Unfinished[]> {
  await othersClosed();
  return listUnfinished(browserParts());
}

/** Moves the unsaved texts of a renamed user in this browser. */
export async function moveTexts(from: string, to: string): Promise<void> {
  journal ??= openJournal(newId);
  await journal.move(foldName(from), foldName(to));
}

/** Waits for closing editors; after CLOSE_TIMEOUT_MS, as on a hanging network, their texts are skipped. */
async function othersClosed(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS));
  if (closing.size > 0) await Promise.race([Promise.all(closing), late]);
}

function browserParts(): OpenParts {
  const username = readSignIn()?.username;
  if (username === undefined) throw new CallError('signed-out', '请先登录', 402);
  const user = foldName(username);
  journal ??= openJournal(newId);
  return {
    user,
    journal,
    server: createDraftServer(call, username),
    clock: { now: Date.now, after: startTimer },
    ownSaves: createOwnSaves(onDevice),
    newId,
    check: (fields) => checkFields('articleCreate', { ...fields }),
    notify: (sentence, needsSignIn) =>
      showError(sentence, needsSignIn ? { text: '去登录', run: goToSignIn } : undefined),
    watch,
    claim: claimEntry,
    presence: (key) => openPresence(user, key),
  };
}

function startTimer(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}

// crypto.randomUUID needs https.
const newId = () => hex(crypto.getRandomValues(new Uint8Array(16)));
const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const watch: DraftParts['watch'] = (retry, leave) => {
  const stop = new AbortController();
  const { signal } = stop;
  const shown = () => (document.visibilityState === 'visible' ? retry() : leave());
  addEventListener('online', retry, { signal });
  addEventListener('focus', retry, { signal });
  addEventListener('pagehide', leave, { signal });
  document.addEventListener('visibilitychange', shown, { signal });
  const unsubscribe = $session.listen(retry);
  return () => {
    stop.abort();
    unsubscribe();
  };
};
