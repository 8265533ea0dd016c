import { areFields, type Authored } from '../contract/authored-fields.ts';
import { parseJson } from './answer.ts';
import { openSlowStore, type SlowStore } from './journal-database.ts';

/** What an author types. */
export type DraftFields = Authored;

/** What one open editor has typed, and what it knows of the server's version. */
export interface JournalEntry {
  /** Names the entry; no two editors ever write the same one. */
  readonly key: string;
  /** Whose text this is: nobody else signed in to this browser is shown it. */
  readonly user: string;
  /** Grows with every write, so that of two copies the newer one is known. */
  readonly seq: number;
  /** Milliseconds since the epoch of the last change. */
  readonly time: number;
  readonly fields: DraftFields;
  /** Begun as a new text and not finished: opening the empty editor continues it. */
  readonly isNew: boolean;
  /** Laid aside at the end of a conflict: offered for a while, and not continued by itself. */
  readonly isAside?: boolean;
  /** The article on the server, once there is one. */
  readonly id: string | null;
  readonly status: 'new' | 'draft' | 'normal';
  /** Names the creation of the article, so that a repeated call makes one. */
  readonly requestId: string;
  /** Whether that call may have reached the server. */
  readonly isRequested: boolean;
  /** The version the text is based on: times of article and revision (else the article's again), and type. */
  readonly seen: { update_time: string; revision_time: string; type: string } | null;
  /** Digest of the server's version at `seen`; the text is safe there when it has the same one. */
  readonly acknowledged: string | null;
  /** Digests of what has been sent since and may have arrived without our knowing. */
  readonly sent: readonly string[];
}

/** What is typed becomes an article of its own; `requestId` names its creation. */
export const startAnew = (entry: JournalEntry, requestId: string): JournalEntry => ({
  ...entry,
  id: null,
  status: 'new',
  seen: null,
  acknowledged: null,
  sent: [],
  requestId,
  isRequested: false,
  isNew: true,
});

/** In place of an entry that is no longer needed, so that an older copy of it stays dead. */
export interface Tombstone {
  key: string;
  user: string;
  seq: number;
  time: number;
  isGone: true;
}
export type Stored = JournalEntry | Tombstone;

/** Synchronous storage, as localStorage. */
export type FastStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

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

const PREFIX = 'moye-draft/';
/** How long the newer copy may take to come; opening waits for it. */
const SLOW_MS = 10_000;

/**
 * The journal over two stores; where one fails (forbidden, full, private windows) the other serves.
 * @param fast null where there is none
 * @param newId makes names that nobody else has
 */
export function createJournal(fast: FastStore | null, slow: SlowStore, newId: () => string): Journal {
  const latest = new Map<string, number>();
  const waiting = new Map<string, Stored>();
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
      const batch = [...waiting.values()];
      waiting.clear();
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

  function writeFast(entry: JournalEntry): boolean {
    try {
      if (!fast) return false;
      fast.setItem(nameOf(entry), JSON.stringify(entry));
      return true;
    } catch {
      return false;
    }
  }

  return {
    put(entry) {
      latest.set(entry.key, entry.seq);
      const isKept = writeFast(entry);
      const later = writeSlowly(entry);
      return isKept || later;
    },
    async remove({ key, user, seq, time }) {
      latest.set(key, seq);
      await writeSlowly({ key, user, seq, time, isGone: true });
      // The author may have gone on typing meanwhile.
      if (latest.get(key) === seq) removeFast(fast, nameOf({ key, user }));
    },
    async list(user) {
      const listing = listSlow(user);
      const fromFast = readFast(fast, user);
      const fromSlow = await inTime(listing);
      const look = () => listing.catch(() => listSlow(user)).then((late) => rescue(fromFast, late));
      if (fromSlow === null) owed.push(() => look().catch(() => undefined));
      const newest = newestOf([...fromFast, ...(fromSlow ?? [])]);
      for (const each of newest.values()) if ('isGone' in each) removeFast(fast, nameOf(each));
      const entries = [...newest.values()].filter((each): each is JournalEntry => !('isGone' in each));
      return entries.sort((one, other) => other.time - one.time);
    },
  };
}

/** The journal of this browser; `newId` makes names that nobody else has. */
export function openJournal(newId: () => string): Journal {
  return createJournal(browserStorage(), openSlowStore(), newId);
}

/** localStorage, or null where reading its very name is forbidden. */
export function browserStorage(): FastStore | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

const nameOf = ({ user, key }: { user: string; key: string }) =>
  `${PREFIX}${encodeURIComponent(user)}/${key}`;

function removeFast(fast: FastStore | null, name: string): void {
  try {
    fast?.removeItem(name);
  } catch {
    // Storage that cannot be written holds nothing to remove.
  }
}

function readFast(fast: FastStore | null, user: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  try {
    for (let index = 0; index < (fast?.length ?? 0); index++) {
      const name = fast?.key(index) ?? '';
      if (!name.startsWith(nameOf({ user, key: '' }))) continue;
      const entry: unknown = parseJson(fast?.getItem(name) ?? '');
      if (isEntry(entry) && nameOf(entry) === name) entries.push(entry);
    }
  } catch {
    return entries;
  }
  return entries;
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

function isNamed(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const { key, user, seq, time } = value;
  return isText(key) && isText(user) && Number.isFinite(seq) && Number.isFinite(time);
}

function isTombstone(value: unknown): value is Tombstone {
  return isNamed(value) && value['isGone'] === true;
}

const SEEN = ['update_time', 'revision_time', 'type'];

/** Whether a stored value is an entry: storage is the reader's own to change. */
function isEntry(value: unknown): value is JournalEntry {
  if (!isNamed(value)) return false;
  const { fields, seen, id, status, requestId, acknowledged, sent } = value;
  if (!isObject(fields) || !areFields(fields)) return false;
  if (seen !== null && !(isObject(seen) && SEEN.every((name) => isText(seen[name])))) return false;
  const isKnown = status === 'new' || status === 'draft' || status === 'normal';
  return isKnown && isTextOrNull(id) && isText(requestId) && isTextOrNull(acknowledged) && isTexts(sent);
}
