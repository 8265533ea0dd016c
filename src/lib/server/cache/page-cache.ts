import { pageTags } from '../../shared/pages/page-tags.ts';
import { MINUTE_MS } from '../../shared/units.ts';
import { asShared, sharedResult } from '../storage/storage.ts';
import { encode, type CachedPage, type Encoding } from './cached-page.ts';
import { createPageStore, type Dropped } from './page-store.ts';

/**
 * Result of rendering a page: a page to cache, or an answer for the requester only. With `isFault` the answer
 * says nothing about the page.
 */
export type Rendering<Answer> = { cached: CachedPage } | { cached: null; answer: Answer; isFault?: boolean };

export interface CacheNumbers {
  hits: number;
  misses: number;
  renders: number;
  refreshes: number;
  evictions: number;
  invalidations: number;
  overtaken: number;
  entries: number;
  bytes: number;
}

interface Options {
  maxBytes: number;
  /** A changed value means that another process has written, so all cached pages are stale. */
  foreignVersion?: (() => number) | undefined;
  /** Whether writes of other processes arrive as `invalidate`; otherwise no cached page can be trusted. */
  isCurrent?: (() => boolean) | undefined;
  /** Waits briefly for pending notices; resolves to whether they have arrived. */
  catchUp?: (() => Promise<boolean>) | undefined;
  /** Whether storage is reachable; while it is not, stale pages are better than none. */
  isReachable?: (() => boolean) | undefined;
  now?: () => number;
}

interface Flight<Answer> {
  began: number;
  done: Promise<Rendering<Answer>>;
  /** The first invalidation of one of its tags after the render began; set when the render ends. */
  overtakenAt: number;
}

/** How an invalidated page was cached. */
export interface Former {
  requestedAt: number;
  encodings: readonly Encoding[];
  /** Whether it was requested more than once. */
  isProven: boolean;
}
type InvalidatedListener = (key: string, former: Former) => void;

const FOREIGN_CHECK_INTERVAL_MS = 100;
const SHRINK_DELAY_MS = 10_000;
/** Pages not requested for longer are left to their next reader. */
const REFRESH_WITHIN_MS = 10 * MINUTE_MS;
/** Renders of an invalidated page in advance, when writes overtake them; then it waits for a reader. */
const MAX_REFRESH_ATTEMPTS = 2;

const byLatestRequest = ([, one]: Dropped, [, other]: Dropped) => other.requestedAt - one.requestedAt;

export type PageCache<Answer> = ReturnType<typeof createPageCache<Answer>>;

/**
 * Rendered pages by key (docs/ARCHITECTURE.md). Never returns stale pages: an invalidation evicts the pages
 * with its tags; a render that began before an invalidation of its tags is not cached, and requests made
 * after the invalidation do not get its result.
 *
 * The same holds for writes of other processes, whose invalidations arrive some time after the commit. A
 * render that read before the commit shows old content. If it ends before the invalidation arrives, it is
 * cached and then evicted; if it ends later, the check of recent invalidations keeps it out of the cache. A
 * render that begins after the invalidation has arrived reads the committed data. While an invalidation is on
 * its way, the old page is served; `isCurrent` bounds that time. While `isCurrent` is false, every answer
 * comes from a render that began after the request. Pages cached in that time are still evicted by notices,
 * and by the full invalidation that must precede `isCurrent` becoming true after notices may have been
 * missed.
 */
export function createPageCache<Answer>({
  maxBytes,
  foreignVersion,
  isCurrent = () => true,
  catchUp = async () => false,
  isReachable = () => true,
  now = performance.now.bind(performance),
}: Options) {
  const numbers = {
    hits: 0,
    misses: 0,
    renders: 0,
    refreshes: 0,
    evictions: 0,
    invalidations: 0,
    overtaken: 0,
  };
  const flights = new Map<string, Flight<Answer>>();
  /** Invalidations since the current renders began: sequence number and tags (null: all). */
  let recent: { at: number; tags: ReadonlySet<string> | null }[] = [];
  let rendering = 0;
  let sequence = 0;
  let invalidated: InvalidatedListener | undefined;

  const pages = createPageStore(maxBytes, () => numbers.evictions++);

  let checkedAt = -Infinity;
  let version = foreignVersion?.();
  function watchForeignWrites(time: number): void {
    if (!foreignVersion || time - checkedAt < FOREIGN_CHECK_INTERVAL_MS) return;
    checkedAt = time;
    const current = foreignVersion();
    if (current !== version) invalidate(null);
    version = current;
  }

  function invalidate(tags: readonly string[] | null): void {
    if (tags?.length === 0) return;
    sequence++;
    numbers.invalidations++;
    if (rendering > 0) recent.push({ at: sequence, tags: tags && new Set(tags) });
    if (!tags || tags.includes(pageTags.site)) return pages.clear();
    const dropped = pages.dropTagged(tags);
    const since = now() - REFRESH_WITHIN_MS;
    for (const [key, { requestedAt, bodies }, isProven] of dropped.toSorted(byLatestRequest)) {
      const encodings = Object.keys(bodies) as Encoding[];
      if (requestedAt >= since) invalidated?.(key, { requestedAt, encodings, isProven });
    }
  }

  function overtaking(began: number, tags: readonly string[]): number {
    const found = recent.find(
      ({ at, tags: gone }) => at > began && (!gone || tags.some((tag) => gone.has(tag))),
    );
    return found?.at ?? Infinity;
  }

  function start(key: string, render: () => Promise<Rendering<Answer>>, isProven = false): Flight<Answer> {
    const began = sequence;
    numbers.renders++;
    rendering++;
    const flight: Flight<Answer> = { began, done: run(), overtakenAt: Infinity };
    async function run(): Promise<Rendering<Answer>> {
      try {
        // An error of `render` reaches the waiting callers only after the flight is registered.
        const result = await asShared(() => Promise.try(render));
        // An uncached result has no tags, so any write may have changed it.
        flight.overtakenAt = result.cached
          ? overtaking(began, result.cached.tags)
          : (recent.find(({ at }) => at > began)?.at ?? Infinity);
        if (result.cached && flight.overtakenAt === Infinity) pages.put(key, result.cached, isProven);
        else if (result.cached) numbers.overtaken++;
        // A page that no longer exists must not be served when storage is unreachable.
        else if (!result.isFault) pages.drop(key);
        return result;
      } finally {
        flights.delete(key);
        if (--rendering === 0) recent = [];
      }
    }
    flights.set(key, flight);
    return flight;
  }

  async function shrink(key: string, page: CachedPage): Promise<void> {
    page.isSmall = true;
    if (page.bodies.br) await encode(page, 'br', 'small');
    if (page.bodies.gzip) await encode(page, 'gzip', 'small');
    pages.resize(key, page);
  }

  function find(key: string): CachedPage | undefined {
    const time = now();
    watchForeignWrites(time);
    const page = pages.get(key);
    if (!page) return undefined;
    numbers.hits++;
    page.requestedAt = time;
    if (!page.isSmall && time - page.renderedAt > SHRINK_DELAY_MS) void shrink(key, page);
    return page;
  }

  return {
    has: pages.has,

    /**
     * Returns the cached page, or undefined. A possibly stale page is returned only while storage is
     * unreachable. Counts hits; `load` counts misses.
     */
    get: (key: string): CachedPage | undefined => (isCurrent() || !isReachable() ? find(key) : undefined),

    /** Returns the cached page even if it may be stale, for when rendering fails. */
    getStale: (key: string): CachedPage | undefined => pages.peek(key),

    /**
     * Renders a page that `get` did not return; concurrent callers share the render. The answer is never
     * older than the call: if a write overtook a render before the call, the caller waits for it and a new
     * render starts.
     * @throws the error of `render`, to all waiting callers
     */
    async load(key: string, render: () => Promise<Rendering<Answer>>): Promise<Rendering<Answer>> {
      let isSynced = isCurrent();
      if (!isSynced) {
        isSynced = await catchUp();
        const page = isSynced ? find(key) : undefined;
        if (page) return { cached: page };
      }
      numbers.misses++;
      // While writes are not announced, treats this moment as an invalidation.
      const asked = isSynced ? sequence : ++sequence;
      for (;;) {
        const flight = flights.get(key) ?? start(key, render);
        const result = await sharedResult(flight.done);
        if (flight.overtakenAt > asked && (isSynced || flight.began >= asked)) return result;
      }
    },

    /**
     * Renders an invalidated page before it is requested again. Leaves it to its next reader if writes
     * overtake that.
     * @throws the error of `render`
     */
    async refresh(
      key: string,
      { requestedAt, encodings, isProven }: Former,
      render: () => Promise<Rendering<Answer>>,
    ): Promise<void> {
      for (let attempt = 0; attempt < MAX_REFRESH_ATTEMPTS && !pages.has(key); attempt++) {
        numbers.refreshes++;
        const flight = flights.get(key) ?? start(key, render, isProven);
        const { cached } = await sharedResult(flight.done);
        if (flight.overtakenAt < Infinity) continue;
        if (!cached) return;
        cached.requestedAt = requestedAt;
        for (const encoding of encodings) await encode(cached, encoding);
        return pages.resize(key, cached);
      }
    },

    /** Calls `listener` for invalidated pages that were requested lately, the latest first. */
    onInvalidated: (listener: InvalidatedListener): void => void (invalidated = listener),

    invalidate: invalidate as (tags: readonly string[]) => void,

    resize: pages.resize,

    numbers: (): CacheNumbers => ({
      ...numbers,
      ...pages.size(),
    }),
  };
}
