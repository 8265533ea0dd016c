import { LRUCache } from 'lru-cache';
import { asShared, sharedResult } from '../storage.ts';
import { encode, sizeOf, type KeptPage } from './kept-page.ts';

/**
 * What rendering a page came to: a page to keep, or an answer for whoever asked and nobody else, which says
 * nothing of the page when it `isFault`.
 */
export type Rendering<Answer> = { kept: KeptPage } | { kept: null; answer: Answer; isFault?: boolean };

/** Numbers since the start, and what is held now. */
export interface CacheNumbers {
  hits: number;
  misses: number;
  renders: number;
  evictions: number;
  invalidations: number;
  /** Renders that a write had overtaken by the time they were done. */
  overtaken: number;
  entries: number;
  bytes: number;
}

interface Options {
  /** Bound of everything held, in bytes. */
  maxBytes: number;
  /** Another value means that another process has written, so that nothing kept can be trusted. */
  foreignVersion?: (() => number) | undefined;
  /**
   * Whether the writes of other processes are heard of, as `invalidate`; while they are not, nothing kept can
   * be trusted.
   */
  isCurrent?: (() => boolean) | undefined;
  /** Makes sure: waits a moment for what is under way, and says whether it has come. */
  catchUp?: (() => Promise<boolean>) | undefined;
  /** Whether storage can be asked; while it cannot, what is kept is better than nothing. */
  isReachable?: (() => boolean) | undefined;
  now?: () => number;
}

interface Flight<Answer> {
  /** How many invalidations there had been. */
  began: number;
  done: Promise<Rendering<Answer>>;
  /** The first invalidation after the render began that names one of its tags; known once it is done. */
  overtakenAt: number;
}

/**
 * Share of the bytes for pages asked for once, so that a crawl through them leaves those that are read in
 * place.
 */
const NEW_SHARE = 0.25;
/** Nothing larger than this share of the bytes is kept. */
const LARGEST_SHARE = 0.05;
const FOREIGN_CHECK_MS = 100;
/** A page that has been there this long and is still asked for is worth being made as small as possible. */
const SETTLED_MS = 10_000;

export type PageCache<Answer> = ReturnType<typeof createPageCache<Answer>>;

/**
 * Rendered pages by key (DESIGN.md §6). Nothing stale is ever handed out: an invalidation drops what is kept
 * under its tags, a render that began before an invalidation of its tags is not kept, and whoever asks after
 * the invalidation does not get it.
 *
 * The same holds for a write of another process, whose invalidation arrives some time after its commit. A
 * render that read before the commit shows what was before. If it ends before the invalidation arrives, it is
 * kept and then dropped; if it ends later, the fence finds the invalidation and does not keep it. A render
 * that begins after the invalidation has arrived reads what was committed. In between, for as long as the
 * invalidation is under way, the former page is handed out; `isCurrent` bounds that time. While it says no,
 * every answer is of a render that began after it was asked for. What is kept then is still dropped by what
 * is heard, and by the invalidation of everything that must come before `isCurrent` says yes after something
 * may have been missed.
 */
export function createPageCache<Answer>({
  maxBytes,
  foreignVersion,
  isCurrent = () => true,
  catchUp = async () => false,
  isReachable = () => true,
  now = performance.now.bind(performance),
}: Options) {
  const numbers = { hits: 0, misses: 0, renders: 0, evictions: 0, invalidations: 0, overtaken: 0 };
  const keysByTag = new Map<string, Set<string>>();
  const flights = new Map<string, Flight<Answer>>();
  /** Invalidations while something is being rendered: their number, and their tags (null: all). */
  let recent: { at: number; tags: ReadonlySet<string> | null }[] = [];
  let rendering = 0;
  let sequence = 0;

  const shelf = (share: number) =>
    new LRUCache<string, KeptPage>({
      maxSize: Math.max(1, Math.floor(maxBytes * share)),
      maxEntrySize: Math.max(1, Math.floor(maxBytes * LARGEST_SHARE)),
      dispose(page, key, reason) {
        if (reason === 'evict') numbers.evictions++;
        if (moving !== key) unfile(key, page);
      },
    });
  // The key whose page is only changing its place or its size.
  let moving: string | undefined;
  const fresh = shelf(NEW_SHARE);
  const proven = shelf(1 - NEW_SHARE);

  function file(key: string, page: KeptPage): void {
    for (const tag of page.tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
  }
  function unfile(key: string, page: KeptPage): void {
    for (const tag of page.tags) {
      const keys = keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysByTag.delete(tag);
    }
  }
  const put = (to: typeof fresh, key: string, page: KeptPage) => to.set(key, page, { size: sizeOf(page) });

  let checkedAt = -Infinity;
  let version = foreignVersion?.();
  function watchForeignWrites(time: number): void {
    if (!foreignVersion || time - checkedAt < FOREIGN_CHECK_MS) return;
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
    if (!tags) {
      fresh.clear();
      proven.clear();
      return;
    }
    for (const tag of tags) {
      for (const key of keysByTag.get(tag) ?? []) drop(key);
    }
  }

  /** The first invalidation since `began` of something `tags` name; Infinity when there was none. */
  function overtaking(began: number, tags: readonly string[]): number {
    const found = recent.find(
      ({ at, tags: gone }) => at > began && (!gone || tags.some((tag) => gone.has(tag))),
    );
    return found?.at ?? Infinity;
  }

  function start(key: string, render: () => Promise<Rendering<Answer>>): Flight<Answer> {
    const began = sequence;
    numbers.renders++;
    rendering++;
    const flight: Flight<Answer> = { began, done: run(), overtakenAt: Infinity };
    async function run(): Promise<Rendering<Answer>> {
      try {
        // Whatever `render` throws is thrown to those who wait, never before the flight is known.
        const result = await asShared(() => Promise.try(render));
        // What is not kept was made from what nobody named: any write may have changed it.
        flight.overtakenAt = result.kept
          ? overtaking(began, result.kept.tags)
          : (recent.find(({ at }) => at > began)?.at ?? Infinity);
        if (result.kept && flight.overtakenAt === Infinity) keep(key, result.kept);
        else if (result.kept) numbers.overtaken++;
        // What is there no longer must not come back when storage cannot be asked.
        else if (!result.isFault) drop(key);
        return result;
      } finally {
        flights.delete(key);
        if (--rendering === 0) recent = [];
      }
    }
    flights.set(key, flight);
    return flight;
  }

  function keep(key: string, page: KeptPage): void {
    const shelved = proven.has(key) ? proven : fresh;
    drop(key);
    file(key, page);
    // Too large to be kept: then it is not, and must not be filed.
    if (!put(shelved, key, page).has(key)) unfile(key, page);
  }

  function drop(key: string): void {
    fresh.delete(key);
    proven.delete(key);
  }

  /** Makes the bodies of a page that lasts as small as they get, and says what they weigh now. */
  async function shrink(key: string, page: KeptPage): Promise<void> {
    page.isSmall = true;
    if (page.bodies.br) await encode(page, 'br', 'small');
    if (page.bodies.gzip) await encode(page, 'gzip', 'small');
    resize(key, page);
  }

  function resize(key: string, page: KeptPage): void {
    moving = key;
    for (const held of [fresh, proven]) {
      if (held.peek(key) !== page) continue;
      // A cache that is given the same value again keeps the size it knows.
      held.delete(key);
      put(held, key, page);
    }
    moving = undefined;
    if (!fresh.has(key) && !proven.has(key)) unfile(key, page);
  }

  function find(key: string): KeptPage | undefined {
    const time = now();
    watchForeignWrites(time);
    let page = proven.get(key);
    if (!page) {
      page = fresh.get(key);
      if (!page) return undefined;
      moving = key;
      fresh.delete(key);
      put(proven, key, page);
      moving = undefined;
    }
    numbers.hits++;
    if (!page.isSmall && time - page.renderedAt > SETTLED_MS) void shrink(key, page);
    return page;
  }

  return {
    /** Whether a page is kept under `key`; not counted as asking for it. */
    has: (key: string): boolean => proven.has(key) || fresh.has(key),

    /**
     * The page kept under `key`, or undefined: `load` counts that it was missing. A page that may be an old
     * one is given only while there is no way to make it anew.
     */
    get: (key: string): KeptPage | undefined => (isCurrent() || !isReachable() ? find(key) : undefined),

    /** The page kept under `key`, even if it may be an old one: for when it could not be made anew. */
    spare: (key: string): KeptPage | undefined => proven.get(key) ?? fresh.get(key),

    /**
     * What `get` did not find or could not trust, rendered once however many ask at the same time. The answer
     * is never older than the moment of the call: a render that a write has overtaken before the call is
     * waited for and then done anew.
     * @throws what `render` throws, to everybody who waits for it
     */
    async load(key: string, render: () => Promise<Rendering<Answer>>): Promise<Rendering<Answer>> {
      let isTold = isCurrent();
      if (!isTold) {
        isTold = await catchUp();
        const page = isTold ? find(key) : undefined;
        if (page) return { kept: page };
      }
      numbers.misses++;
      // While nobody tells of writes, this moment is as good as one.
      const asked = isTold ? sequence : ++sequence;
      for (;;) {
        const flight = flights.get(key) ?? start(key, render);
        const result = await sharedResult(flight.done);
        if (flight.overtakenAt > asked && (isTold || flight.began >= asked)) return result;
      }
    },

    /** Drops every page made from one of `tags`. */
    invalidate: invalidate as (tags: readonly string[]) => void,

    /** To be called when a page has got another body. */
    resize,

    numbers: (): CacheNumbers => ({
      ...numbers,
      entries: fresh.size + proven.size,
      bytes: fresh.calculatedSize + proven.calculatedSize,
    }),
  };
}
