import { atom, map } from 'nanostores';
import type { Inspection } from '../contract/calls/inspection-call.ts';

export interface Listed {
  kind: 'article' | 'comment';
  _id: string;
  /** The version of the row. */
  version: string;
  /** Whole text of a comment, as the row shows it. */
  text?: string;
}

export const readKey = ({ kind, _id }: Pick<Listed, 'kind' | '_id'>): string => `${kind} ${_id}`;

/** Items that staff has read whole since the page was opened, by `readKey`. */
export const $reads = map<Record<string, Inspection>>({});
/** Keys of items that a decision left alone because they had changed; opening an item removes its key. */
export const $changedItems = atom<ReadonlySet<string>>(new Set());
/** The item that is shown because a decision on it was refused. */
export const $refusedItem = atom<(Listed & { refusal: string }) | null>(null);

/** The version that a decision on an item names: of what was read whole, or else of its row. */
export const versionRead = (item: Listed): string => $reads.get()[readKey(item)]?.version ?? item.version;

export function noteRead(read: Inspection): void {
  $reads.setKey(readKey(read), read);
  $changedItems.set(new Set([...$changedItems.get()].filter((key) => key !== readKey(read))));
}

export function noteChanged(items: readonly Listed[]): void {
  $changedItems.set(new Set([...$changedItems.get(), ...items.map(readKey)]));
}

/** Forgets what was read of items that are decided: they have another version now. */
export function noteDecided(items: readonly Pick<Listed, 'kind' | '_id'>[]): void {
  const decided = new Set(items.map(readKey));
  $reads.set(Object.fromEntries(Object.entries($reads.get()).filter(([key]) => !decided.has(key))));
}
