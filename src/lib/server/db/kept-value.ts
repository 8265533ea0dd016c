import { asShared, sharedResult } from '../storage.ts';
import type { Database } from './database.ts';
import type { BlogEvent, Events } from './events.ts';

/**
 * Keeps what was read from the database until it changes. What a call wrote before it answered is seen by
 * whatever is asked next, on every node; where changes of others may go unheard, each asks anew.
 * @param isChange whether an event says that the value is another now
 * @returns the value of now; whoever asks gets the same object, and changes nothing in it
 */
export function keepValue<T>(
  { db, events }: { db: Database; events: Pick<Events, 'listen'> },
  isChange: (event: BlogEvent) => boolean,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { version: number | undefined; value: Promise<T> } | null = null;
  events.listen((event) => {
    if (event.type === 'anything' || isChange(event)) kept = null;
  });
  return async () => {
    if (db.notices && !db.notices.isCurrent()) return read();
    // Another process that has written to the same file tells nobody.
    const version = db.foreignVersion?.();
    if (kept && kept.version === version) return sharedResult(kept.value);
    const mine = { version, value: asShared(read) };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return sharedResult(mine.value);
  };
}
