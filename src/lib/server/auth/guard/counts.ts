import { LRUCache } from 'lru-cache';
import type { SharedCounts } from '../../db/database.ts';

/** Attempts under a key. Instants are milliseconds since the epoch. */
export interface Count {
  points: number;
  /** Time of the next allowed attempt, where attempts must wait (guess-limits.ts); else 0. */
  free: number;
  until: number;
}

/** Counts by key. Ignores expired counts. */
export interface Counts {
  read(key: string): Promise<Count | null>;
  /**
   * Adds a point atomically. `until` is the expiry of a new count; with `isSliding`, of existing ones too.
   */
  add(key: string, until: number, isSliding?: boolean): Promise<Pick<Count, 'points' | 'until'>>;
  takeBack(key: string): Promise<void>;
  replace(key: string, former: Count | null, next: Count): Promise<boolean>;
  forget(key: string): Promise<void>;
  forgetExpired(): Promise<void>;
}

/** About 20 MB. The least recently used count is evicted. */
const MAX_COUNTS = 100_000;

/** Keeps counts in `shared` storage; without it, or while it is unreachable, in this process's memory. */
export function createCounts(now: () => number, shared?: SharedCounts): Counts {
  const here = countsHere(now);
  if (!shared) return here;
  const there = countsIn(shared, now);
  const orHere = <T>(work: (counts: Counts) => Promise<T>): Promise<T> => work(there).catch(() => work(here));
  return {
    read: (key) => orHere((counts) => counts.read(key)),
    add: (key, until, isSliding) => orHere((counts) => counts.add(key, until, isSliding)),
    takeBack: (key) => orHere((counts) => counts.takeBack(key)),
    replace: (key, former, next) => orHere((counts) => counts.replace(key, former, next)),
    forget: (key) => orHere((counts) => counts.forget(key)),
    forgetExpired: () => there.forgetExpired(),
  };
}

function countsHere(now: () => number): Counts {
  const counts = new LRUCache<string, Count>({ max: MAX_COUNTS });
  const find = (key: string): Count | null => {
    const count = counts.get(key);
    return count && count.until > now() ? count : null;
  };
  return {
    read: async (key) => find(key),
    async add(key, until, isSliding = false) {
      const former = find(key) ?? { points: 0, free: 0, until };
      const count = { ...former, points: former.points + 1, until: isSliding ? until : former.until };
      counts.set(key, count);
      return count;
    },
    async takeBack(key) {
      const count = find(key);
      if (count && count.points > 0) counts.set(key, { ...count, points: count.points - 1 });
    },
    async replace(key, former, next) {
      const current = find(key);
      if (current?.points !== former?.points || current?.free !== former?.free) return false;
      counts.set(key, next);
      return true;
    },
    async forget(key) {
      counts.delete(key);
    },
    forgetExpired: async () => {},
  };
}

/** Keeps counts in the table `attempts`. Each change is one statement, so no concurrent change is lost. */
function countsIn({ query, forgetExpired }: SharedCounts, now: () => number): Counts {
  const run = async (text: string, ...values: unknown[]) => (await query({ text, values })).rows as Count[];
  return {
    async read(key) {
      const [count] = await run(
        'select points, free, expire as until from attempts where key = $1 and expire > $2',
        key,
        now(),
      );
      return count ?? null;
    },
    async add(key, until, isSliding = false) {
      const [count] = await run(
        `insert into attempts (key, points, expire) values ($1, 1, $2)
          on conflict (key) do update set
            points = case when attempts.expire <= $3 then 1 else attempts.points + 1 end,
            free = case when attempts.expire <= $3 then 0 else attempts.free end,
            expire = case when attempts.expire <= $3 or $4::boolean then excluded.expire else attempts.expire end
          returning points, free, expire as until`,
        key,
        until,
        now(),
        isSliding,
      );
      if (!count) throw new Error('the count was not stored');
      return count;
    },
    async takeBack(key) {
      await run('update attempts set points = points - 1 where key = $1 and points > 0', key);
    },
    async replace(key, former, next) {
      const stored = former
        ? await run(
            `update attempts set points = $2, free = $3, expire = $4
              where key = $1 and points = $5 and free = $6 returning points`,
            key,
            next.points,
            next.free,
            next.until,
            former.points,
            former.free,
          )
        : await run(
            `insert into attempts (key, points, free, expire) values ($1, $2, $3, $4)
              on conflict (key) do update
                set points = excluded.points, free = excluded.free, expire = excluded.expire
                where attempts.expire <= $5
              returning points`,
            key,
            next.points,
            next.free,
            next.until,
            now(),
          );
      return stored.length > 0;
    },
    async forget(key) {
      await run('delete from attempts where key = $1', key);
    },
    forgetExpired: () => forgetExpired(now()),
  };
}
