import { isRefusal } from '../../contract/rules/errors.ts';
import { createCachedRenders, type Rendering as PageRendering } from '../../shared/pages/cached-renders.ts';
import { createPageStore, isEverything, type Dropped } from '../../shared/pages/page-store.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';
import { asShared, sharedResult, StorageUnavailableError } from '../storage/storage.ts';
import { encode, sizeOf, type CachedPage, type Encoding } from './cached-page.ts';

export type Rendering<Answer> = PageRendering<CachedPage, Answer>;
export type Render<Answer> = () => Promise<Rendering<Answer>>;

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

const byLatestRequest = ([, one]: Dropped<CachedPage>, [, other]: Dropped<CachedPage>) =>
  other.requestedAt - one.requestedAt;

export type PageCache<Answer> = ReturnType<typeof createPageCache<Answer>>;
export type CacheNumbers = ReturnType<PageCache<unknown>['numbers']>;

/**
 * Rendered pages by key (docs/ARCHITECTURE.md). Never returns stale pages: an invalidation evicts the pages
 * with its tags, and keeps the results of older renders out (pages/cached-renders.ts).
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
  const numbers = { hits: 0, misses: 0, refreshes: 0, evictions: 0 };
  let invalidated: InvalidatedListener | undefined;

  const pages = createPageStore<CachedPage>({ maxBytes, sizeOf, evicted: () => numbers.evictions++ });
  const renders = createCachedRenders<CachedPage, Answer>(pages, sharedResult);

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
    const dropped = renders.invalidate(tags);
    if (isEverything(tags)) return;
    const since = now() - REFRESH_WITHIN_MS;
    for (const [key, { requestedAt, bodies }, isProven] of dropped.toSorted(byLatestRequest)) {
      const encodings = Object.keys(bodies) as Encoding[];
      if (requestedAt >= since) invalidated?.(key, { requestedAt, encodings, isProven });
    }
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

  async function loadOnce(key: string, render: Render<Answer>): Promise<Rendering<Answer>> {
    let isSynced = isCurrent();
    if (!isSynced) {
      isSynced = await catchUp();
      const page = isSynced ? find(key) : undefined;
      if (page) return { cached: page };
    }
    numbers.misses++;
    return renders.load(key, render, isSynced);
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
     * Renders a page that `get` did not return; see `load` of pages/cached-renders.ts. The render counts
     * against the client that asks first. If that client's turn is refused, the next waiting client retries
     * on its own account instead of failing with it.
     * @throws the error of `render`
     */
    async load(key: string, render: Render<Answer>): Promise<Rendering<Answer>> {
      for (;;) {
        let isOwn = false;
        const own = () => {
          isOwn = true;
          return asShared(render);
        };
        try {
          return await loadOnce(key, own);
        } catch (error) {
          const isOfTurn = isRefusal(error, 'UNAVAILABLE') || isRefusal(error, 'TOO_MANY_REQUESTS');
          // A storage failure affects every client.
          if (isOwn || !isOfTurn || error instanceof StorageUnavailableError) throw error;
        }
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
      render: Render<Answer>,
    ): Promise<void> {
      for (let attempt = 0; attempt < MAX_REFRESH_ATTEMPTS && !pages.has(key); attempt++) {
        numbers.refreshes++;
        const shared = renders.share(key, () => asShared(render), isProven);
        const { cached } = await sharedResult(shared.done);
        if (shared.overtakenAt < Infinity) continue;
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

    numbers: () => ({ ...numbers, ...renders.numbers, ...pages.size() }),
  };
}
