import type { Dropped, PageStore, Tagged } from './page-store.ts';

/**
 * Result of rendering a page: a page to cache, or an answer for the requester only. With `isFault` the answer
 * says nothing about the page.
 */
export type Rendering<Page, Answer> = { cached: Page } | { cached: null; answer: Answer; isFault?: boolean };

interface Render<Page, Answer> {
  began: number;
  done: Promise<Rendering<Page, Answer>>;
  /** The first invalidation of one of its tags after the render began; set when the render ends. */
  overtakenAt: number;
}

/** Above this number of invalidations during renders, the renders under way are not cached. */
const MAX_RECENT = 1_000;

/**
 * Renders pages into `storage`. A render that began before an invalidation of its tags is not cached, and
 * requests made after the invalidation do not get its result.
 * @param wait waits for a render that several requests share
 */
export function createCachedRenders<Page extends Tagged, Answer>(
  storage: Pick<PageStore<Page>, 'put' | 'drop' | 'invalidate'>,
  wait: <T>(shared: Promise<T>) => Promise<T> = (shared) => shared,
) {
  type Work = () => Promise<Rendering<Page, Answer>>;
  const numbers = { renders: 0, overtaken: 0, invalidations: 0 };
  const shared = new Map<string, Render<Page, Answer>>();
  /** Invalidations since the current renders began: sequence number and tags (null: all). */
  let recent: { at: number; tags: ReadonlySet<string> | null }[] = [];
  /** The last invalidation that is no longer in `recent`, although renders may be older. */
  let forgottenAt = 0;
  let rendering = 0;
  let sequence = 0;

  /** @param tags omitted for an answer, which any write may have changed */
  function overtaking(began: number, tags?: readonly string[]): number {
    if (began < forgottenAt) return began + 1;
    const found = recent.find(
      ({ at, tags: gone }) => at > began && (!gone || !tags || tags.some((tag) => gone.has(tag))),
    );
    return found?.at ?? Infinity;
  }

  /** Renders for one request. */
  function alone(key: string, work: Work, isProven = false): Render<Page, Answer> {
    const began = sequence;
    numbers.renders++;
    rendering++;
    const render: Render<Page, Answer> = { began, done: run(), overtakenAt: Infinity };
    async function run(): Promise<Rendering<Page, Answer>> {
      try {
        // If `work` throws at once, the render ends only after it is shared.
        const result = await Promise.try(work);
        render.overtakenAt = overtaking(began, result.cached?.tags);
        if ('answer' in result) {
          // A page that no longer exists must not be served during an outage.
          if (!result.isFault) storage.drop(key);
        } else if (render.overtakenAt === Infinity) storage.put(key, result.cached, isProven);
        else numbers.overtaken++;
        return result;
      } finally {
        if (shared.get(key) === render) shared.delete(key);
        if (--rendering === 0) recent = [];
      }
    }
    return render;
  }

  /** Returns the render of `key` under way, or starts one. */
  function share(key: string, work: Work, isProven?: boolean): Render<Page, Answer> {
    const render = shared.get(key) ?? alone(key, work, isProven);
    shared.set(key, render);
    return render;
  }

  return {
    numbers,
    alone,
    share,

    /**
     * Renders a page; concurrent callers share the render. The answer is never older than the call: if a
     * write overtook a render before the call, the caller waits for it and a new render starts.
     * @param isSynced whether all writes so far were invalidated; otherwise the render begins after the call
     * @throws the error of `work`, to all waiting callers
     */
    async load(key: string, work: Work, isSynced = true): Promise<Rendering<Page, Answer>> {
      // While writes are not announced, treats this moment as an invalidation.
      const asked = isSynced ? sequence : ++sequence;
      for (;;) {
        const render = share(key, work);
        const result = await wait(render.done);
        if (render.overtakenAt > asked && (isSynced || render.began >= asked)) return result;
      }
    },

    /** Removes and returns the pages with one of `tags` (null: all), and keeps older renders of them out. */
    invalidate(tags: readonly string[] | null): Dropped<Page>[] {
      if (tags?.length === 0) return [];
      sequence++;
      numbers.invalidations++;
      if (rendering > 0) recent.push({ at: sequence, tags: tags && new Set(tags) });
      if (recent.length > MAX_RECENT) [recent, forgottenAt] = [[], sequence];
      return storage.invalidate(tags);
    },
  };
}

/** Headers that belong to one response or connection. */
const UNCACHED_HEADERS =
  /^(?:connection|content-length|date|etag|keep-alive|transfer-encoding|vary|x-request-id)$/;

type Fields = [name: string, value: string][];

/** @param headers names in lower case */
export const cachedHeaders = (headers: Fields): Fields =>
  headers.filter(([name]) => !UNCACHED_HEADERS.test(name));

/** Returns whether a response with tags may be cached for all visitors. */
export const isForAll = (status: number, headers: Fields): boolean =>
  status === 200 &&
  !headers.some(
    ([name, value]) => name === 'set-cookie' || (name === 'cache-control' && /private|no-store/.test(value)),
  );
