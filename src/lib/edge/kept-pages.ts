import { LRUCache } from 'lru-cache';
import type { KeptPages as ShownPages } from '../blog/backend.ts';
import { keyOf } from '../blog/page-key.ts';

/** A page as a visitor was shown it. */
export interface KeptPage {
  body: string;
  headers: [string, string][];
  tags: string[];
  /** Milliseconds since the epoch. */
  madeAt: number;
}

/** Where copies lie that outlive this process, as far as the platform has such a place. */
export interface Shelf {
  get(key: string): Promise<KeptPage | null>;
  /** Called without waiting. */
  put(key: string, page: KeptPage): void;
  delete(key: string): void;
}

/** What the platform's cache in front of this one understands. */
export interface FrontCache {
  /** How it is told what a page was made of, and for how long it may show it. */
  headersFor(tags: string[], request: Request): Headers;
  /** The header by which it is told how long it may keep an answer. */
  header: string;
  purge(tags: string[]): Promise<void>;
}

export interface KeptPagesOptions {
  /** How long a visitor is shown a copy without asking the API: 0 where a cache in front does that. */
  freshMs: number;
  front?: FrontCache | undefined;
  shelf?: Shelf | undefined;
  /** Whether the API was just not there: copies are then shown without trying. */
  isApiAway?: () => boolean;
  maxBytes?: number;
  now?: () => number;
}

/** Pages shown to visitors: only theirs are kept, and only they see copies while the API answers. */
export interface KeptPages extends ShownPages {
  /** Forgets what was made from one of `tags`, here and in the platform's cache. */
  purge(tags: string[]): Promise<void>;
}

/** Older copies are not shown: what its author has hidden must not stay readable for long. */
const LONGEST_MS = 3_600_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Headers that are made for each answer, or for caches. */
const NOT_KEPT = new Set(['x-request-id', 'cache-tag', 'content-length']);
const BOTH_BYTES = 2;
/** What a page costs besides its text, roughly. */
const OVERHEAD = 1_000;
const MAX_PURGED = 10_000;

/** Keeps pages in memory, least recently used out first, and on the platform's shelf. */
export function createKeptPages({
  freshMs,
  front,
  shelf,
  isApiAway = () => false,
  maxBytes = MAX_BYTES,
  now = Date.now,
}: KeptPagesOptions): KeptPages {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ body }, key) => BOTH_BYTES * (key.length + body.length) + OVERHEAD,
  });
  const renders = new Map<string, Promise<KeptPage | null>>();
  // The number of the last purge of each tag, so that what was rendered meanwhile is not kept.
  const purged = new Map<string, number>();
  let purges = 0;

  function keep(key: string, page: KeptPage): void {
    pages.set(key, page);
    if (pages.has(key)) shelf?.put(key, page);
  }
  function forget(key: string): void {
    pages.delete(key);
    shelf?.delete(key);
  }
  const age = ({ madeAt }: KeptPage) => now() - madeAt;

  function fresh(key: string): KeptPage | undefined {
    const page = pages.get(key);
    return page && age(page) < freshMs ? page : undefined;
  }
  async function lastCopy(key: string): Promise<KeptPage | null> {
    const page = pages.get(key) ?? (await shelf?.get(key).catch(() => null)) ?? null;
    return page && age(page) < LONGEST_MS ? page : null;
  }

  /** Renders, and keeps what may be kept. */
  async function renderNow(
    key: string,
    request: Request,
    render: () => Promise<Response>,
  ): Promise<{ response: Response; page: KeptPage | null }> {
    const began = purges;
    const response = await render();
    const tags = response.headers.get('Cache-Tag')?.split(',');
    if (response.status !== 200 || !tags || request.method !== 'GET') {
      // Gone, or not for everybody any more.
      if (response.status < 500 && request.method === 'GET') forget(key);
      return { response, page: null };
    }
    const headers = [...response.headers].filter(([name]) => !NOT_KEPT.has(name));
    const page = { body: await response.text(), headers, tags, madeAt: now() };
    if (tags.every((tag) => (purged.get(tag) ?? 0) <= began)) keep(key, page);
    return { response: toResponse(page, request, front), page };
  }

  async function answerVisitor(
    key: string,
    request: Request,
    render: () => Promise<Response>,
  ): Promise<Response> {
    if (freshMs === 0) return (await renderNow(key, request, render)).response;
    // Looked for and entered in one go: whoever comes next finds it.
    const underWay = renders.get(key);
    const page = fresh(key) ?? (underWay && (await underWay.catch(() => null)));
    if (page) return toResponse(page, request, front);
    const rendering = renderNow(key, request, render);
    const shared = rendering.then((done) => done.page);
    shared.catch(() => undefined);
    renders.set(key, shared);
    try {
      return (await rendering).response;
    } finally {
      if (renders.get(key) === shared) renders.delete(key);
    }
  }

  return {
    async answer(request, isVisitor, render) {
      const { pathname, search } = new URL(request.url);
      const key = keyOf(pathname + search);
      const spare = key !== null && isApiAway() ? await lastCopy(key) : null;
      if (spare) return toResponse(spare, request, undefined);
      const response = key !== null && isVisitor ? await answerVisitor(key, request, render) : await render();
      if (response.status === 503 && key !== null) {
        const copy = await lastCopy(key);
        if (copy) return toResponse(copy, request, undefined);
      }
      const isForVisitors = isVisitor && request.method === 'GET';
      if (isForVisitors && response.status === 301) return redirection(response, request, front);
      const isKept = key !== null && isForVisitors && response.status === 200;
      if (!isKept) withoutTags(response, front);
      return response;
    },
    async purge(tags) {
      purges++;
      renders.clear();
      if (purged.size + tags.length > MAX_PURGED) purged.clear();
      for (const tag of tags) purged.set(tag, purges);
      const gone = new Set(tags);
      for (const [key, page] of pages) {
        if (page.tags.some((tag) => gone.has(tag))) forget(key);
      }
      await front?.purge(tags);
    },
  };
}

function toResponse(page: KeptPage, request: Request, front: FrontCache | undefined): Response {
  const headers = new Headers(page.headers);
  for (const [name, value] of front?.headersFor(page.tags, request) ?? []) headers.set(name, value);
  return new Response(request.method === 'HEAD' ? null : page.body, { headers });
}

/**
 * Former addresses of articles: only the platform's cache keeps where they lead. There are as many of them as
 * an old site had pages, and each is rarely asked for.
 */
function redirection(response: Response, request: Request, front: FrontCache | undefined): Response {
  const tags = response.headers.get('Cache-Tag')?.split(',');
  withoutTags(response, front);
  for (const [name, value] of (tags && front?.headersFor(tags, request)) ?? [])
    response.headers.set(name, value);
  return response;
}

function withoutTags(response: Response, front: FrontCache | undefined): void {
  response.headers.delete('Cache-Tag');
  if (front) response.headers.set(front.header, 'no-store');
}
