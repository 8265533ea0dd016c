import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { onDevice } from '../stored.ts';
import { isEntry, isTombstone, startOver, type JournalEntry, type Stored } from './journal-entry.ts';
import { createFastEntries, type FastEntries } from './journal-fast.ts';

interface Item {
  key: string;
  user: string;
}

/** Asynchronous storage with more space than localStorage, keyed by `key`, indexed by `user`. */
export interface SlowStore {
  /** Writes all items, or rejects. */
  put(items: readonly Item[]): Promise<void>;
  list(user: string): Promise<unknown[]>;
}

interface Drafts extends DBSchema {
  entries: { key: string; value: Item & { time?: unknown; isGone?: unknown }; indexes: { user: string } };
}

const NAME = 'moye-drafts';
const TOMBSTONE_RETENTION_MS = 30 * 24 * 3_600_000;

/** Store in this browser's IndexedDB, opened on first use. A failed open is retried on the next use. */
function openSlowStore(): SlowStore {
  let opening: Promise<IDBPDatabase<Drafts>> | null = null;
  const lose = () => (opening = null);
  const begin = async () => {
    opening ??= open(lose).catch((error: unknown) => {
      lose();
      throw error;
    });
    return (await opening).transaction('entries', 'readwrite');
  };
  return {
    async put(items) {
      const transaction = await begin();
      const writes = items.map((item) => transaction.store.put(item));
      // Commits without waiting for the writes, because the page may be closed by then.
      transaction.commit();
      await Promise.all([...writes, transaction.done]);
    },
    async list(user) {
      const { store, done } = await begin();
      const read = async () => {
        const items = await store.index('user').getAll(user);
        const oldest = Date.now() - TOMBSTONE_RETENTION_MS;
        const buried = items.filter(({ isGone, time }) => isGone === true && Number(time) < oldest);
        await Promise.all(buried.map(({ key }) => store.delete(key)));
        return items;
      };
      const [items] = await Promise.all([read(), done]);
      return items;
    },
  };
}

/** `lost` is called when the connection is closed, by the browser or for a newer version's tab. */
const open = (lost: () => void): Promise<IDBPDatabase<Drafts>> =>
  openDB<Drafts>(NAME, 1, {
    upgrade(database) {
      database.createObjectStore('entries', { keyPath: 'key' }).createIndex('user', 'user');
    },
    terminated: lost,
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      lost();
    },
  });

/**
 * Texts typed in the editors of this browser. Each entry is stored in localStorage before the task of the
 * keystroke ends, which survives a killed tab. It is also stored in IndexedDB, which has more space and
 * writes to disk immediately, so it survives a killed browser.
 */
export interface Journal {
  /** Writes an entry. Returns true if it is already stored, else a promise of whether it could be stored. */
  put(entry: JournalEntry): true | Promise<boolean>;
  /** Removes an entry whose text is safe on the server or was discarded by its author. */
  remove(entry: JournalEntry): Promise<void>;
  /** Returns all entries of the user, most recent first. */
  list(user: string): Promise<JournalEntry[]>;
  /** Moves the entries of a renamed user. */
  move(from: string, to: string): Promise<void>;
}

/** Time that opening waits for the copy in IndexedDB. */
const OPEN_TIMEOUT_MS = 10_000;
const FRAME_TIMEOUT_MS = 100;

/**
 * Journal over two stores. If one fails (blocked, full, private window), the other is used.
 * @param newId creates globally unique names
 * @param drawn resolves after the next frame, or when no frame will follow. The slow store copies the whole
 *   text, which would delay the frame (docs/features/drafts.md)
 */
export function createJournal(
  fast: FastEntries,
  slow: SlowStore,
  newId: () => string,
  drawn?: () => Promise<void>,
): Journal {
  const latest = new Map<string, number>();
  const waiting = new Map<string, Stored>();
  /** Whether the fast store has all pending entries. */
  let isSafe = true;
  let writing: Promise<boolean> | null = null;
  /**
   * For each list returned without the slow store, a later check of it, which must run before anything is
   * overwritten.
   */
  const owed: (() => Promise<void>)[] = [];

  function writeSlowly(stored: Stored): Promise<boolean> {
    waiting.set(stored.key, stored);
    writing ??= drain();
    return writing;
  }

  /** Runs one write at a time. Entries that change during a write are written once, in their latest state. */
  async function drain(): Promise<boolean> {
    let isStored = true;
    while (waiting.size > 0) {
      for (const look of owed.splice(0)) await look();
      if (drawn && isSafe) await drawn();
      const batch = [...waiting.values()];
      waiting.clear();
      isSafe = true;
      isStored = await slow.put(batch).then(
        () => true,
        () => false,
      );
    }
    // Synchronous with the last check of `waiting`, so a later entry starts a new write.
    writing = null;
    return isStored;
  }

  const listSlow = async (user: string): Promise<Stored[]> =>
    (await slow.list(user)).filter((each) => isTombstone(each) || isEntry(each));

  /** Saves `late` texts of the slow store under new keys if `shown` has an older copy. */
  async function rescue(shown: JournalEntry[], late: Stored[]): Promise<void> {
    const known = new Map(shown.map((entry) => [entry.key, entry]));
    const copies = late.flatMap((each) => {
      const older = known.get(each.key);
      if ('isGone' in each || !older || each.seq <= older.seq) return [];
      const copy = { ...each, key: newId() };
      // For an existing article, the editor shows both versions.
      return [copy.id === null ? startOver(copy, newId()) : copy];
    });
    if (copies.length > 0) await slow.put(copies);
  }

  const journal: Journal = {
    put(entry) {
      latest.set(entry.key, entry.seq);
      const isStored = fast.put(entry);
      if (!isStored) isSafe = false;
      const later = writeSlowly(entry);
      return isStored || later;
    },
    async remove({ key, user, seq, time }) {
      latest.set(key, seq);
      await writeSlowly({ key, user, seq, time, isGone: true });
      // The author may have continued typing.
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
    async move(from, to) {
      if (from === to) return;
      for (const entry of await journal.list(from))
        if (await journal.put({ ...entry, user: to })) fast.remove(entry);
    },
  };
  return journal;
}

export function openJournal(newId: () => string): Journal {
  return createJournal(createFastEntries(onDevice), openSlowStore(), newId, drawn);
}

/** Resolves after the next frame, or soon if the page is hidden or renders no frames. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, FRAME_TIMEOUT_MS);
  });

function newestOf(stored: Stored[]): Map<string, Stored> {
  const newest = new Map<string, Stored>();
  for (const each of stored) {
    const rival = newest.get(each.key);
    // At equal `seq`, the tombstone is newer because it is written last.
    if (!rival || each.seq > rival.seq || (each.seq === rival.seq && 'isGone' in each))
      newest.set(each.key, each);
  }
  return newest;
}

async function inTime<T>(list: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, OPEN_TIMEOUT_MS, null));
  try {
    return await Promise.race([list, late]);
  } catch {
    return null;
  }
}
