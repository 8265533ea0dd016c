import { LRUCache } from 'lru-cache';
import { pageTags } from './page-tags.ts';

/** Share of the bytes for pages requested only once, so a crawl does not evict pages that are read. */
const NEW_SHARE = 0.25;
const MAX_ENTRY_SHARE = 0.05;

interface Options<Page> {
  maxBytes: number;
  /** Maximum size of a page as a share of `maxBytes`. */
  maxEntryShare?: number;
  sizeOf(page: Page): number;
  evicted?(): void;
}

export interface Tagged {
  readonly tags: readonly string[];
}

export type Dropped<Page> = [key: string, page: Page, isProven: boolean];

/** Returns whether an invalidation concerns every page. */
export const isEverything = (tags: readonly string[] | null): boolean =>
  !tags || tags.includes(pageTags.site);

export type PageStore<Page extends Tagged> = ReturnType<typeof createPageStore<Page>>;

/** Pages by key and by tag, up to `maxBytes`; the pages not requested for longest are evicted. */
export function createPageStore<Page extends Tagged>({
  maxBytes,
  maxEntryShare = MAX_ENTRY_SHARE,
  sizeOf,
  evicted = () => {},
}: Options<Page>) {
  const keysByTag = new Map<string, Set<string>>();
  let moving: string | undefined;
  const createSegment = (share: number) =>
    new LRUCache<string, Page>({
      maxSize: Math.max(1, Math.floor(maxBytes * share)),
      maxEntrySize: Math.max(1, Math.floor(maxBytes * maxEntryShare)),
      dispose(page, key, reason) {
        if (reason === 'evict') evicted();
        if (moving !== key) unfile(key, page);
      },
    });
  const fresh = createSegment(NEW_SHARE);
  const proven = createSegment(1 - NEW_SHARE);

  function file(key: string, page: Page): void {
    for (const tag of page.tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
  }
  function unfile(key: string, page: Page): void {
    for (const tag of page.tags) {
      const keys = keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysByTag.delete(tag);
    }
  }
  const set = (to: typeof fresh, key: string, page: Page) => to.set(key, page, { size: sizeOf(page) });
  const has = (key: string): boolean => proven.has(key) || fresh.has(key);
  const peek = (key: string): Page | undefined => proven.peek(key) ?? fresh.peek(key);

  function drop(key: string): void {
    fresh.delete(key);
    proven.delete(key);
  }

  return {
    has,
    peek,
    drop,

    get(key: string): Page | undefined {
      const known = proven.get(key);
      if (known) return known;
      const page = fresh.get(key);
      if (!page) return undefined;
      moving = key;
      fresh.delete(key);
      set(proven, key, page);
      moving = undefined;
      return page;
    },

    /** @param isProven whether it was requested more than once before */
    put(key: string, page: Page, isProven: boolean): void {
      const segment = isProven || proven.has(key) ? proven : fresh;
      drop(key);
      file(key, page);
      // A page too large for the cache must not be indexed.
      if (!set(segment, key, page).has(key)) unfile(key, page);
    },

    /** Updates the size of a page whose bodies have changed. */
    resize(key: string, page: Page): void {
      moving = key;
      for (const held of [fresh, proven]) {
        if (held.peek(key) !== page) continue;
        // LRUCache keeps the old size when the same value is set again.
        held.delete(key);
        set(held, key, page);
      }
      moving = undefined;
      if (!has(key)) unfile(key, page);
    },

    /** Drops and returns the pages with one of `tags` (null: all), and whether they were requested again. */
    invalidate(tags: readonly string[] | null): Dropped<Page>[] {
      const keys =
        !tags || isEverything(tags)
          ? [...fresh.keys(), ...proven.keys()]
          : new Set(tags.flatMap((tag) => [...(keysByTag.get(tag) ?? [])]));
      return [...keys].flatMap((key): Dropped<Page>[] => {
        const [page, isProven] = [peek(key), proven.has(key)];
        drop(key);
        return page ? [[key, page, isProven]] : [];
      });
    },

    size: () => ({
      entries: fresh.size + proven.size,
      bytes: fresh.calculatedSize + proven.calculatedSize,
    }),
  };
}
