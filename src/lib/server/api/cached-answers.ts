import { pageTags } from '../../shared/pages/page-tags.ts';
import { chooseEncoding } from '../cache/choose-encoding.ts';
import { encode, toCachedPage, type Body, type Encoding, type CachedPage } from '../cache/cached-page.ts';
import type { PageCache, Rendering } from '../cache/page-cache.ts';
import type { RenderedAnswer } from '../cache/renders.ts';
import { forVisitors } from '../storage/storage.ts';

export const JSON_HEADERS: [string, string][] = [['Content-Type', 'application/json']];
/** Calls with longer keys are unlikely to repeat, so they are not cached. */
const MAX_KEY_CHARACTERS = 1024;

/** A call's response as bytes, and the tags it was made from (pages/page-tags.ts); null: not cached. */
export interface Made {
  bytes: Buffer<ArrayBuffer>;
  tags: readonly string[] | null;
}

export type CachedAnswers = ReturnType<typeof createCachedAnswers>;

/** Caches responses that are equal for all visitors as bytes in the page cache; null when caching is off. */
export function createCachedAnswers(cache: PageCache<RenderedAnswer> | null) {
  const encodings = new WeakMap<CachedPage, Map<Encoding, Promise<Body>>>();

  function encoded(page: CachedPage, encoding: Encoding, key: string): Promise<Body> | Body {
    const ready = page.bodies[encoding];
    if (ready) return ready;
    const underWay = encodings.get(page) ?? new Map<Encoding, Promise<Body>>();
    encodings.set(page, underWay);
    const made = underWay.get(encoding) ?? encode(page, encoding);
    underWay.set(encoding, made);
    return made.finally(() => cache?.resize(key, page));
  }

  /** Returns the cached response, or makes it; see `load` of cache/page-cache.ts. */
  async function load(
    key: string,
    make: () => Promise<Rendering<RenderedAnswer>>,
  ): Promise<Rendering<RenderedAnswer>> {
    const cached = cache?.get(key);
    if (cached) return { cached };
    const made = () => forVisitors(make);
    return cache ? cache.load(key, made) : made();
  }

  return {
    encoded,
    load,

    /**
     * Returns the cached response to a visitor's call, or makes it; rejects with the error of `make` for
     * every waiting caller.
     * @param key the call and its validated fields; not cached above 1,024 characters
     * @param make runs in the client's turn; see `load`
     */
    async answer(
      key: string,
      acceptEncoding: string | undefined,
      make: () => Promise<Made>,
    ): Promise<Response> {
      if (!cache || key.length > MAX_KEY_CHARACTERS) return toResponse(await forVisitors(make));
      const made = await load(key, async () => {
        const { bytes, tags } = await make();
        return tags
          ? { cached: toCachedPage(bytes, JSON_HEADERS, [pageTags.site, ...tags]) }
          : uncached(bytes);
      });
      if (!made.cached) return toResponse(made.answer);
      const encoding = chooseEncoding(acceptEncoding);
      return toResponse(await encoded(made.cached, encoding, key), encoding);
    },
  };
}

export const uncached = (bytes: Buffer): Rendering<RenderedAnswer> => ({
  cached: null,
  answer: { status: 200, headers: Object.fromEntries(JSON_HEADERS), bytes },
});

/** @param body in `encoding`; an `identity` response is compressed later like any other */
export function toResponse({ bytes }: Pick<Body, 'bytes'>, encoding: Encoding = 'identity'): Response {
  const headers = new Headers([
    ...JSON_HEADERS,
    ['Vary', 'Accept-Encoding'],
    ['Content-Length', String(bytes.length)],
  ]);
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  // The buffer is never shared memory; the cast avoids a copy.
  return new Response(bytes as Buffer<ArrayBuffer>, { headers });
}
