import { atom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import { startAnew, type JournalEntry } from '../client/journal.ts';
import { asStored, digestOf, isBlank, isSame, isUntouched, NOTHING } from './draft-fields.ts';
import { createPace } from './draft-pace.ts';
import { MESSAGES, type DraftParts, type Found } from './draft-parts.ts';
import {
  Conflict,
  follow,
  isAcknowledged,
  removeFromServer,
  saveToServer,
  type Saver,
} from './draft-save.ts';
import { failureOf, type ServerVersion } from './draft-server.ts';
import { DraftRefused, type Draft, type SaveState, type Version } from './draft-types.ts';

/** Starts a draft on `entry`, which it owns from then on. */
export function startDraft(entry: JournalEntry, found: Found, parts: DraftParts): Draft {
  const { journal, clock } = parts;
  const $fields = atom(entry.fields);
  const $state = atom<SaveState>('clean');
  const $message = atom<string | null>(found.message ?? null);
  const $needsSignIn = atom(false);
  const $savedAt = atom(entry.seen?.revision_time ?? null);
  const $conflict = atom<{ mine: Version; theirs: Version } | null>(null);
  const $id = atom(entry.id);
  const $status = atom(entry.status);

  let theirs: ServerVersion | null = null;
  let saving: Promise<void> | null = null;
  let publishing: Promise<string> | null = null;
  let [isKept, isClosed, isUnsupported] = [true, false, false];
  /** What stays to be said until the author goes on. */
  let notice = found.message ?? null;
  /** The second version of the server's that the author has been asked about. */
  let shown: ServerVersion['overtaken'] = null;

  const saver: Saver = {
    entry,
    server: parts.server,
    keep,
    newId: parts.newId,
    restarted: () => (notice = MESSAGES.gone),
  };

  function keep(): void {
    entry.seq++;
    const kept = journal.put({ ...entry });
    if (kept === true) isKept = true;
    else
      void kept.then((isKeptNow) => {
        isKept = isKeptNow;
        if (!isKept && !theirs && !isAcknowledged(entry)) tell('failed', MESSAGES.unsafe);
      });
  }

  function tell(state: SaveState, message: string | null = null): void {
    const isUnsafe = !isKept && (state === 'local' || state === 'dirty');
    $state.set(isUnsafe ? 'failed' : state);
    $message.set(isUnsafe ? MESSAGES.unsafe : (message ?? notice));
  }

  function schedule(): void {
    pace.stop();
    if (theirs || isClosed) return;
    if (isBlank(entry.fields)) tellBlank();
    else pace.soon();
  }

  /** Without title and content there is nothing that a server would take. */
  function tellBlank(): void {
    const isNothing = entry.id === null && isUntouched(entry.fields);
    if (isNothing) tell('clean');
    else tell('local', MESSAGES.blank);
  }

  /** Saves, unless that is under way or there is nothing to save. */
  function run(): void {
    pace.stop();
    if (saving || theirs || isBlank(entry.fields) || (isUnsupported && entry.status === 'normal')) return;
    if (isAcknowledged(entry)) return settle();
    void attempt(false).catch(() => undefined);
  }

  /** One save; fails as `saveToServer`, having told the author. */
  function attempt(isPublishing: boolean): Promise<void> {
    // Trying again by itself is no news.
    if (isPublishing || $state.get() !== 'local') tell('saving');
    const turn = saving?.catch(() => undefined) ?? Promise.resolve();
    const work = turn
      .then(() => saveToServer(saver, entry.fields, isPublishing))
      .then(
        () => {
          pace.reset();
          $needsSignIn.set(false);
          $savedAt.set(entry.seen?.revision_time ?? null);
          settle();
        },
        (error: unknown) => {
          fail(error);
          throw error;
        },
      )
      .finally(() => {
        if (saving === work) saving = null;
        $id.set(entry.id);
        $status.set(entry.status);
        // Typed while it was being saved.
        if ($state.get() === 'dirty') schedule();
      });
    saving = work;
    return work;
  }

  /** After a save: what the server holds need not be kept here, unless it is still being written (`isNew`) or was trimmed. */
  function settle(): void {
    if (!isAcknowledged(entry)) return tell('dirty');
    tell('saved');
    keep();
    if (!entry.isNew && isSame(entry.fields, asStored(entry.fields))) void journal.remove({ ...entry });
  }

  function fail(error: unknown): void {
    if (error instanceof Conflict) return showConflict(error.theirs);
    const failure = failureOf(error);
    $needsSignIn.set(failure === 'signed-out');
    const sentence = error instanceof Error ? error.message : '';
    if (failure === 'refused' || failure === 'gone') return tell('failed', sentence);
    if (failure === 'unsupported') {
      isUnsupported = true;
      return tell('local', MESSAGES.unsupported);
    }
    const wait = isCallError(error, 'refused') ? MESSAGES.busy : MESSAGES.later;
    tell('local', failure === 'signed-out' ? MESSAGES.signedOut : wait);
    if (!isClosed) pace.later();
  }

  function showConflict(version: ServerVersion): void {
    theirs = version;
    if (version.overtaken && digestOf(version.overtaken.fields) === digestOf(entry.fields))
      shown = version.overtaken;
    $id.set(version.id);
    tell('conflict');
    // Read when it is looked at: the author may go on typing before choosing.
    const mine = {
      get fields() {
        return entry.fields;
      },
      get time() {
        return new Date(entry.time).toISOString();
      },
    };
    $conflict.set({ mine, theirs: { fields: version.fields, time: version.time } });
  }

  function wake(): void {
    pace.reset();
    if (!isClosed && ['local', 'dirty'].includes($state.get())) run();
  }

  /** Waits for the save under way, and takes over from the timer. */
  async function takeTurn(): Promise<void> {
    pace.stop();
    await saving?.catch(() => undefined);
    pace.stop();
    if (theirs) throw new Conflict(theirs);
  }

  /** What the author asked for, and waits for: why it failed is said at once. */
  async function asked<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      const failure = error instanceof Conflict ? null : failureOf(error);
      if (failure === 'signed-out') parts.tell(MESSAGES.signedOut, true);
      // Also what the server has no time for now: it says when to try again.
      const isRefused = failure === 'refused' || failure === 'later';
      if (isRefused && isCallError(error, 'refused')) parts.tell(error.message, false);
      throw error;
    });
  }

  async function refuseWrong(status: 'normal' | 'draft'): Promise<void> {
    const errors = await parts.check({ ...entry.fields, status });
    if (Object.keys(errors).length > 0) throw new DraftRefused(errors);
  }

  async function finish(): Promise<void> {
    entry.isNew = false;
    if (isAcknowledged(entry)) await journal.remove({ ...entry, seq: ++entry.seq });
    else keep();
  }

  const pace = createPace(clock, run);
  const stopWatching = parts.watch(wake, run);
  if (found.conflict) showConflict(found.conflict);
  else if (found.failure !== undefined) fail(found.failure);
  else if (!isAcknowledged(entry) && !isUntouched(entry.fields)) {
    tell('dirty');
    schedule();
  }

  return {
    $fields,
    $state,
    $message,
    $needsSignIn,
    $savedAt,
    $conflict,
    $elsewhere: found.$elsewhere,
    $id,
    $status,

    change(changes) {
      const fields = { ...entry.fields, ...changes };
      if (isSame(fields, entry.fields)) return;
      entry.fields = fields;
      entry.time = clock.now();
      notice = null;
      keep();
      if (theirs) return;
      if (!saving && $state.get() !== 'local') tell('dirty');
      schedule();
    },

    async saveDraft() {
      await refuseWrong('draft');
      await takeTurn();
      if (!isAcknowledged(entry)) await asked(attempt(false));
      await finish();
    },

    publish() {
      const work = async () => {
        await refuseWrong('normal');
        await takeTurn();
        await asked(attempt(true));
        await finish();
        return entry.id ?? '';
      };
      publishing ??= work().finally(() => (publishing = null));
      return publishing;
    },

    async remove() {
      pace.stop();
      await saving?.catch(() => undefined);
      await asked(removeFromServer(saver));
      await journal.remove({ ...entry, seq: ++entry.seq });
      pace.stop();
      [theirs, entry.fields] = [null, NOTHING];
      startAnew(entry, parts.newId());
      $conflict.set(null);
      $id.set(null);
      $status.set('new');
      tell('clean');
    },

    async resolve(choice) {
      if (!theirs) return;
      const version = theirs;
      const fields = choice === 'mine' ? entry.fields : choice === 'theirs' ? version.fields : choice;
      [theirs, entry.fields] = [null, fields];
      follow(entry, version);
      keep();
      $conflict.set(null);
      $status.set(entry.status);
      $fields.set(fields);
      const { overtaken } = version;
      // The server held two versions: the other one is asked about next.
      if (overtaken && overtaken !== shown && digestOf(overtaken.fields) !== digestOf(fields)) {
        shown = overtaken;
        return showConflict({ ...version, ...overtaken });
      }
      if (isAcknowledged(entry)) return settle();
      tell('dirty');
      await attempt(false).catch(() => undefined);
    },

    async close() {
      if (isClosed) return;
      run();
      isClosed = true;
      pace.stop();
      stopWatching();
      await saving?.catch(() => undefined);
      found.closed();
    },
  };
}
