import { atom, computed, map } from 'nanostores';
import type { Inspection } from '../contract/calls/review-calls.ts';

/** Row of a list. */
export interface Listed {
  kind: 'article' | 'comment';
  _id: string;
  version: string;
  /** Title of an article as the row shows it. */
  title?: string;
  /** Beginning of an article, or a whole comment, as the row shows it. */
  content?: string;
  /** Whether the row shows the change that waits. */
  is_change?: boolean | undefined;
}
export type Item = Pick<Listed, 'kind' | '_id'>;

/** An item as staff has seen it: whole, or its row in a list. */
export type Seen = Inspection | Listed;

export const isWhole = (seen: Seen): seen is Inspection => 'decisions' in seen;

/** Item that the reader shows, and the sentence of the refusal if a decision on it was refused. */
export interface Opened extends Item {
  refusal?: string;
}

export const readKey = ({ kind, _id }: Item): string => `${kind} ${_id}`;

/**
 * Items as staff has seen them since the page was opened, by `readKey`. A row that is listed again in another
 * version replaces nothing.
 */
export const $seen = map<Record<string, Seen>>({});
/** Newest known versions of items, by `readKey`. */
const $newest = map<Record<string, string>>({});
/** Keys of items that have changed since staff has seen them. */
export const $changedKeys = computed(
  [$seen, $newest],
  (seen, newest) =>
    new Set(Object.entries(newest).flatMap(([key, version]) => (seen[key]?.version === version ? [] : key))),
);
export const $openedItem = atom<Opened | null>(null);

/** The version that a decision on an item names. */
export const versionSeen = (item: Listed): string => $seen.get()[readKey(item)]?.version ?? item.version;

/** Notes an item that the reader shows. Returns whether the newest list has another version of it. */
export function noteRead(read: Inspection): boolean {
  const key = readKey(read);
  const isNew = $newest.get()[key] !== read.version;
  $newest.setKey(key, read.version);
  $seen.setKey(key, read);
  return isNew;
}

/** Notes the rows that a list shows. */
export function noteListed(listed: readonly Listed[]): void {
  const rows = listed.map((row) => [readKey(row), row] as const);
  $seen.set({ ...Object.fromEntries(rows), ...$seen.get() });
  const versions = rows.map(([key, { version }]) => [key, version] as const);
  $newest.set({ ...$newest.get(), ...Object.fromEntries(versions) });
}

/** Forgets items that are decided, since they have another version now. */
export function noteDecided(items: readonly Item[]): void {
  const decided = new Set(items.map(readKey));
  const others = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !decided.has(key)));
  $seen.set(others($seen.get()));
  $newest.set(others($newest.get()));
  const opened = $openedItem.get();
  if (opened && decided.has(readKey(opened))) $openedItem.set(null);
}
