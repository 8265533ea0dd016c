import { commonEnds } from '../common-ends.ts';
import { parseJson } from './answer.ts';
import { isEntry, isObject, type JournalEntry } from './journal-entry.ts';

/** Synchronous storage, as localStorage. */
export type FastStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

type Named = Pick<JournalEntry, 'key' | 'user'>;

/** Entries that are kept before the keystroke's task ends. */
export interface FastEntries {
  /** Whether the entry could be kept. */
  put(entry: JournalEntry): boolean;
  remove(entry: Named): void;
  /** Every entry of the user that is whole. */
  list(user: string): JournalEntry[];
}

/** UTF-16 units of text from which a key no longer writes all of it. */
const LONG = 20_000;
/** A change of up to this part of its text is kept as a change. */
const SHARE = 0.1;

/** An entry as the change of an earlier one: that of `base`, whose text had `length` units. */
interface Change {
  entry: JournalEntry;
  base: number;
  length: number;
  head: number;
  tail: number;
}

/**
 * Entries in `store`. Of a long text a key writes what has changed since the text was last written whole: at
 * 200,000 characters writing all of it took 7 of the 54 ms that a key takes (docs/decisions/0032).
 * @param store null where there is none
 * @param long from how many UTF-16 units a text is long
 */
export function createFastEntries(store: FastStore | null, long = LONG): FastEntries {
  /** By key, what this journal has last written whole: no two of them write the same entry. */
  const whole = new Map<string, JournalEntry>();

  function write(name: string, value: object): boolean {
    try {
      store?.setItem(name, JSON.stringify(value));
      return store !== null;
    } catch {
      return false;
    }
  }

  function remove(name: string): void {
    try {
      store?.removeItem(name);
    } catch {
      // Storage that cannot be written holds nothing to remove.
    }
  }

  function putWhole(entry: JournalEntry): boolean {
    if (!write(nameOf(entry), entry)) return false;
    const hadChange = whole.has(entry.key);
    whole.set(entry.key, entry);
    // Of another base, it no longer counts.
    if (hadChange) remove(changeNameOf(entry));
    return true;
  }

  function read(name: string): JournalEntry | null {
    const entry: unknown = parseJson(store?.getItem(name) ?? '');
    if (!isEntry(entry) || nameOf(entry) !== name) return null;
    return changed(entry, parseJson(store?.getItem(changeNameOf(entry)) ?? ''));
  }

  return {
    put(entry) {
      const change = entry.fields.content.length < long ? null : changeOf(whole.get(entry.key), entry);
      return change ? write(changeNameOf(entry), change) : putWhole(entry);
    },
    remove(entry) {
      whole.delete(entry.key);
      remove(nameOf(entry));
      remove(changeNameOf(entry));
    },
    list(user) {
      const entries: JournalEntry[] = [];
      try {
        for (let index = 0; index < (store?.length ?? 0); index++) {
          const name = store?.key(index) ?? '';
          const entry = name.startsWith(nameOf({ user, key: '' })) ? read(name) : null;
          if (entry) entries.push(entry);
        }
      } catch {
        return entries;
      }
      return entries;
    },
  };
}

const inFolder = (folder: string, { user, key }: Named) => `${folder}/${encodeURIComponent(user)}/${key}`;
const nameOf = (entry: Named) => inFolder('moye-draft', entry);
const changeNameOf = (entry: Named) => inFolder('moye-draft-change', entry);

/** Null where the entry is better written whole. */
function changeOf(base: JournalEntry | undefined, entry: JournalEntry): Change | null {
  if (!base) return null;
  const { content } = entry.fields;
  const { head, tail } = commonEnds(base.fields.content, content);
  if (content.length - head - tail > content.length * SHARE) return null;
  const fields = { ...entry.fields, content: content.slice(head, content.length - tail) };
  return { entry: { ...entry, fields }, base: base.seq, length: base.fields.content.length, head, tail };
}

/** The entry as `change` says, or as it is where that is no change of it. */
function changed(entry: JournalEntry, change: unknown): JournalEntry {
  const { content } = entry.fields;
  if (!isObject(change) || change['base'] !== entry.seq || change['length'] !== content.length) return entry;
  const { entry: next, head, tail } = change;
  if (!isEntry(next) || nameOf(next) !== nameOf(entry)) return entry;
  if (!isCount(head) || !isCount(tail) || head + tail > content.length) return entry;
  const text = content.slice(0, head) + next.fields.content + content.slice(content.length - tail);
  return { ...next, fields: { ...next.fields, content: text } };
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
