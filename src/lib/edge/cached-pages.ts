import { LRUCache } from 'lru-cache';
import type { CachedPages as PageCache, RenderedPage } from '../blog/backend.ts';
import { keyOf } from '../shared/pages/page-key.ts';
import { HOUR_MS, MIB } from '../shared/units.ts';

export interface CachedPage {
  body: string;
  headers: [string, string][];
  tags: string[];
  /** Milliseconds since the epoch. */
  madeAt: number;
}

export interface PlatformCache {
  get(key: string): Promise<CachedPage | null>;
  put(key: string, page: CachedPage): void;
  delete(key: string): void;
}

export interface FrontCache {
  headersFor(tags: string[], request: Request): Headers;
  header: string;
  purge(tags: string[]): Promise<void>;
}

export interface CachedPagesOptions {
  freshMs: number;
  front?: FrontCache | undefined;
  platformCache?: PlatformCache | undefined;
  isApiAway?: () => boolean;
  maxBytes?: number;
  now?: () => number;
}

/**
 * Pages for visitors. Only pages rendered for visitors are cached. Signed-in readers get copies only while
 * the API does not respond.
 */
export interface CachedPages extends PageCache {
  purge(tags: string[]): Promise<void>;
}

/** Maximum age of copies: content that its author has hidden must not stay readable for long. */
const MAX_AGE_MS = HOUR_MS;
const MAX_CACHE_BYTES = 16 * MIB;
const UNCACHED_HEADERS = new Set(['x-request-id', 'content-length']);
const BYTES_PER_CHARACTER = 2;
const OVERHEAD_BYTES = 1_000;
const MAX_PURGED_TAGS = 10_000;

export function createCachedPages({
  freshMs,
  front,
  platformCache,
  isApiAway = () => false,
  maxBytes = MAX_CACHE_BYTES,
  now = Date.now,
}: CachedPagesOptions): CachedPages {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ body }, key) => BYTES_PER_CHARACTER * (key.length + body.length) + OVERHEAD_BYTES,
  });
  const renders = new Map<string, Promise<CachedPage | null>>();
  // Number of the last purge of each tag: a page rendered before it is not cached.
  const purged = new Map<string, number>();
  let purges = 0;

  function store(key: string, page: CachedPage): void {
    pages.set(key, page);
    if (pages.has(key)) platformCache?.put(key, page);
  }
  function evict(key: string): void {
    pages.delete(key);
    platformCache?.delete(key);
  }
  const age = ({ madeAt }: CachedPage) => now() - madeAt;

  function fresh(key: string): CachedPage | undefined {
    const page = pages.get(key);
    return page && age(page) < freshMs ? page : undefined;
  }
  async function lastCopy(key: string): Promise<CachedPage | null> {
    const page = pages.get(key) ?? (await platformCache?.get(key).catch(() => null)) ?? null;
    return page && age(page) < MAX_AGE_MS ? page : null;
  }

  async function renderNow(
    key: string,
    request: Request,
    render: () => Promise<RenderedPage>,
  ): Promise<RenderedPage & { page: CachedPage | null }> {
    const began = purges;
    const { response, tags } = await render();
    if (response.status !== 200 || !tags || request.method !== 'GET') {
      if (response.status < 500 && request.method === 'GET') evict(key);
      return { response, tags, page: null };
    }
    const headers = [...response.headers].filter(([name]) => !UNCACHED_HEADERS.has(name));
    const page = { body: await response.text(), headers, tags, madeAt: now() };
    if (tags.every((tag) => (purged.get(tag) ?? 0) <= began)) store(key, page);
    return { response: toResponse(page, request, front), tags, page };
  }

  async function answerVisitor(
    key: string,
    request: Request,
    render: () => Promise<RenderedPage>,
  ): Promise<RenderedPage> {
    if (freshMs === 0) return renderNow(key, request, render);
    // Looked up and entered in one step, so the next request finds it.
    const underWay = renders.get(key);
    const page = fresh(key) ?? (underWay && (await underWay.catch(() => null)));
    if (page) return { response: toResponse(page, request, front), tags: page.tags };
    const rendering = renderNow(key, request, render);
    const shared = rendering.then((done) => done.page);
    shared.catch(() => undefined);
    renders.set(key, shared);
    try {
      return await rendering;
    } finally {
      if (renders.get(key) === shared) renders.delete(key);
    }
  }

  return {
    async answer(request, isVisitor, render) {
      const { pathname, search } = new URL(request.url);
      const key = keyOf(pathname + search);
      const stale = key !== null && isApiAway() ? await lastCopy(key) : null;
      if (stale) return toResponse(stale, request, undefined);
      const { response, tags } = await (key !== null && isVisitor
        ? answerVisitor(key, request, render)
        : render());
      if (response.status === 503 && key !== null) {
        const copy = await lastCopy(key);
        if (copy) return toResponse(copy, request, undefined);
      }
      const isForVisitors = isVisitor && request.method === 'GET';
      const isCached = key !== null && isForVisitors && response.status === 200;
      if (!front || isCached) return response;
      response.headers.set(front.header, 'no-store');
      // Redirects of old article URLs are cached only by the platform: an old site may have many, each rarely
      // requested.
      if (tags && isForVisitors && response.status === 301)
        for (const [name, value] of front.headersFor(tags, request)) response.headers.set(name, value);
      return response;
    },
    async purge(tags) {
      purges++;
      renders.clear();
      if (purged.size + tags.length > MAX_PURGED_TAGS) purged.clear();
      for (const tag of tags) purged.set(tag, purges);
      const changed = new Set(tags);
      for (const [key, page] of pages) {
        if (page.tags.some((tag) => changed.has(tag))) evict(key);
      }
      await front?.purge(tags);
    },
  };
}

function toResponse(page: CachedPage, request: Request, front: FrontCache | undefined): Response {
  const headers = new Headers(page.headers);
  for (const [name, value] of front?.headersFor(page.tags, request) ?? []) headers.set(name, value);
  return new Response(request.method === 'HEAD' ? null : page.body, { headers });
}
