import type { CachedPages as PageCache, RenderedPage } from '../blog/backend.ts';
import {
  cachedHeaders,
  createCachedRenders,
  isForAll,
  type Rendering,
} from '../shared/pages/cached-renders.ts';
import { keyOf } from '../shared/pages/page-key.ts';
import { createPageStore } from '../shared/pages/page-store.ts';
import { HOUR_MS, MIB } from '../contract/rules/units.ts';

export interface CachedPage {
  body: string;
  headers: [string, string][];
  tags: string[];
  /** Milliseconds since the epoch. */
  madeAt: number;
}

type Render = () => Promise<RenderedPage>;
type Result = Rendering<CachedPage, RenderedPage>;

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
/** Maximum size of a copy as a share of the cache: a long article fits. */
const MAX_ENTRY_SHARE = 1 / 4;
const BYTES_PER_CHARACTER = 2;
const OVERHEAD_BYTES = 1_000;

/** Whether a status says that a page is there, has moved, or is gone; others are temporary. */
const isFinal = (status: number) => status < 400 || status === 404 || status === 410;

export function createCachedPages({
  freshMs,
  front,
  platformCache,
  isApiAway = () => false,
  maxBytes = MAX_CACHE_BYTES,
  now = Date.now,
}: CachedPagesOptions): CachedPages {
  const pages = createPageStore<CachedPage>({
    maxBytes,
    maxEntryShare: MAX_ENTRY_SHARE,
    sizeOf: ({ body }) => BYTES_PER_CHARACTER * body.length + OVERHEAD_BYTES,
  });
  const renders = createCachedRenders<CachedPage, RenderedPage>({
    invalidate: pages.invalidate,
    put(key, page, isProven) {
      pages.put(key, page, isProven);
      if (pages.has(key)) platformCache?.put(key, page);
    },
    drop(key) {
      pages.drop(key);
      platformCache?.delete(key);
    },
  });
  const age = ({ madeAt }: CachedPage) => now() - madeAt;

  async function lastCopy(key: string): Promise<CachedPage | null> {
    const page = pages.get(key) ?? (await platformCache?.get(key).catch(() => null)) ?? null;
    return page && age(page) < MAX_AGE_MS ? page : null;
  }

  async function toRendering(answer: RenderedPage, isGet: boolean): Promise<Result> {
    const { response, tags } = answer;
    const { status } = response;
    const headers = cachedHeaders([...response.headers]);
    if (isGet && tags && isForAll(status, headers))
      return { cached: { body: await response.text(), headers, tags, madeAt: now() } };
    return { cached: null, answer, isFault: !isGet || !isFinal(status) };
  }

  async function findOrRender(key: string, isGet: boolean, render: Render): Promise<Result> {
    const known = pages.get(key);
    if (known && age(known) < freshMs) return { cached: known };
    let isOwn = false;
    const rendering = async () => {
      isOwn = true;
      return toRendering(await render(), isGet);
    };
    const alone = () => renders.alone(key, rendering).done;
    // Behind a platform's cache, the runtime does not allow waiting for the render of another request.
    if (freshMs === 0) return alone();
    const result = await renders.load(key, rendering);
    // A response can be sent only once.
    return result.cached || isOwn ? result : alone();
  }

  return {
    async answer(request, isVisitor, render) {
      const { pathname, search } = new URL(request.url);
      const key = keyOf(pathname + search);
      const stale = key !== null && isApiAway() ? await lastCopy(key) : null;
      if (stale) return toResponse(stale, request, undefined);
      const isGet = request.method === 'GET';
      const isShared = key !== null && isVisitor;
      const result = isShared
        ? await findOrRender(key, isGet, render)
        : { cached: null, answer: await render() };
      if (result.cached) return toResponse(result.cached, request, front);
      const { response, tags } = result.answer;
      if (response.status === 503 && key !== null) {
        const copy = await lastCopy(key);
        if (copy) return toResponse(copy, request, undefined);
      }
      if (!front || (isShared && isGet && response.status === 200)) return response;
      response.headers.set(front.header, 'no-store');
      // Redirects of old article URLs are cached only by the platform: an old site may have many, each rarely
      // requested.
      if (tags && isVisitor && isGet && response.status === 301)
        for (const [name, value] of front.headersFor(tags, request)) response.headers.set(name, value);
      return response;
    },
    async purge(tags) {
      for (const [key] of renders.invalidate(tags)) platformCache?.delete(key);
      await front?.purge(tags);
    },
  };
}

function toResponse(page: CachedPage, request: Request, front: FrontCache | undefined): Response {
  const headers = new Headers(page.headers);
  for (const [name, value] of front?.headersFor(page.tags, request) ?? []) headers.set(name, value);
  return new Response(request.method === 'HEAD' ? null : page.body, { headers });
}
