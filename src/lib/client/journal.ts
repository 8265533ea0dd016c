import { openSlowStore, type SlowStore } from './journal-database.ts';
import { isEntry, isTombstone, startAnew, type JournalEntry, type Stored } from './journal-entry.ts';
import { createFastEntries, type FastEntries, type FastStore } from './journal-fast.ts';

/**
 * What editors have typed here. Each entry is kept in localStorage, written before the keystroke's task ends,
 * which a killed tab survives; and in IndexedDB, which has more room and reaches the disk at once, so that a
 * killed browser loses nothing either.
 */
export interface Journal {
  /** Writes an entry. True when it is kept already; otherwise resolves to whether it could be kept at all. */
  put(entry: JournalEntry): true | Promise<boolean>;
  /** Forgets an entry; its text must be safe on the server or given up by its author. */
  remove(entry: JournalEntry): Promise<void>;
  /** Every entry of the user, the last written first. */
  list(user: string): Promise<JournalEntry[]>;
}

/** How long the newer copy may take to come; opening waits for it. */
const SLOW_MS = 10_000;
/** No frame comes any more after this. */
const NO_FRAME_MS = 100;

/**
 * The journal over two stores; where one fails (forbidden, full, private windows) the other serves.
 * @param newId makes names that nobody else has
 * @param drawn resolves when the next frame is drawn, or none will be: the slow store copies all of a text,
 *   which makes the frame late (docs/decisions/0032)
 */
export function createJournal(
  fast: FastEntries,
  slow: SlowStore,
  newId: () => string,
  drawn?: () => Promise<void>,
): Journal {
  const latest = new Map<string, number>();
  const waiting = new Map<string, Stored>();
  /** Whether the fast store has everything that waits. */
  let isSafe = true;
  let writing: Promise<boolean> | null = null;
  /** For each list given without the slow store, a look at it, due before anything is written over. */
  const owed: (() => Promise<void>)[] = [];

  function writeSlowly(stored: Stored): Promise<boolean> {
    waiting.set(stored.key, stored);
    writing ??= drain();
    return writing;
  }

  /** One write at a time; what changes meanwhile is written once, as it is then. */
  async function drain(): Promise<boolean> {
    let isKept = true;
    while (waiting.size > 0) {
      for (const look of owed.splice(0)) await look();
      if (drawn && isSafe) await drawn();
      const batch = [...waiting.values()];
      waiting.clear();
      isSafe = true;
      isKept = await slow.put(batch).then(
        () => true,
        () => false,
      );
    }
    // In the same moment as the last look: what comes after it finds nobody writing.
    writing = null;
    return isKept;
  }

  const listSlow = async (user: string): Promise<Stored[]> =>
    (await slow.list(user)).filter((each) => isTombstone(each) || isEntry(each));

  /** Keeps `late` texts of the slow store under new keys where `shown` has an older copy. */
  async function rescue(shown: JournalEntry[], late: Stored[]): Promise<void> {
    const known = new Map(shown.map((entry) => [entry.key, entry]));
    const copies = late.flatMap((each) => {
      const older = known.get(each.key);
      if ('isGone' in each || !older || each.seq <= older.seq) return [];
      const copy = { ...each, key: newId() };
      // Of an article its editor shows both sides.
      return [copy.id === null ? startAnew(copy, newId()) : copy];
    });
    if (copies.length > 0) await slow.put(copies);
  }

  return {
    put(entry) {
      latest.set(entry.key, entry.seq);
      const isKept = fast.put(entry);
      if (!isKept) isSafe = false;
      const later = writeSlowly(entry);
      return isKept || later;
    },
    async remove({ key, user, seq, time }) {
      latest.set(key, seq);
      await writeSlowly({ key, user, seq, time, isGone: true });
      // The author may have gone on typing meanwhile.
      if (latest.get(key) === seq) fast.remove({ key, user });
    },
    async list(user) {
      const listing = listSlow(user);
      const fromFast = fast.list(user);
      const fromSlow = await inTime(listing);
      const look = () => listing.catch(() => listSlow(user)).then((late) => rescue(fromFast, late));
      if (fromSlow === null) owed.push(() => look().catch(() => undefined));
      const newest = newestOf([...fromFast, ...(fromSlow ?? [])]);
      for (const each of newest.values()) if ('isGone' in each) fast.remove(each);
      const entries = [...newest.values()].filter((each): each is JournalEntry => !('isGone' in each));
      return entries.sort((one, other) => other.time - one.time);
    },
  };
}

/** The journal of this browser; `newId` makes names that nobody else has. */
export function openJournal(newId: () => string): Journal {
  return createJournal(createFastEntries(browserStorage()), openSlowStore(), newId, drawn);
}

/** Resolves after the next frame; in a page that is not shown, or draws none for some other reason, soon. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, NO_FRAME_MS);
  });

/** localStorage, or null where reading its very name is forbidden. */
export function browserStorage(): FastStore | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** The newest of each key. */
function newestOf(stored: Stored[]): Map<string, Stored> {
  const newest = new Map<string, Stored>();
  for (const each of stored) {
    const rival = newest.get(each.key);
    // Of equals the tombstone: it is written last.
    if (!rival || each.seq > rival.seq || (each.seq === rival.seq && 'isGone' in each))
      newest.set(each.key, each);
  }
  return newest;
}

/** Null when it takes too long, or fails. */
async function inTime<T>(list: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, SLOW_MS, null));
  try {
    return await Promise.race([list, late]);
  } catch {
    return null;
  }
}
