import { asShared, sharedResult } from '../storage/storage.ts';
import type { Database } from './database.ts';
import type { BlogEvent, Events } from './events.ts';

/**
 * Caches a value read from the database until it changes. On every node, reads see the writes of calls that
 * were answered before; while changes by others may go unnoticed, each call reads again.
 * @param isChange whether an event changes the value
 * @returns a function that returns the current value; all callers share the object and must not modify it
 */
export function cacheValue<T>(
  { db, events }: { db: Database; events: Pick<Events, 'listen'> },
  isChange: (event: BlogEvent) => boolean,
  read: () => Promise<T>,
): () => Promise<T> {
  let cached: { version: number | undefined; value: Promise<T> } | null = null;
  events.listen((event) => {
    if (event.type === 'anything' || isChange(event)) cached = null;
  });
  return async () => {
    if (db.notices && !db.notices.isCurrent()) return read();
    // Another process that writes to the same file sends no event.
    const version = db.foreignVersion?.();
    if (cached && cached.version === version) return sharedResult(cached.value);
    const mine = { version, value: asShared(read) };
    cached = mine;
    mine.value.catch(() => {
      if (cached === mine) cached = null;
    });
    return sharedResult(mine.value);
  };
}
