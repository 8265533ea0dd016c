import type { CacheProvider } from 'astro';
import type { FrontCache } from './kept-pages.ts';

/** Short, in case nobody tells of a change; older copies while a new one is made, or cannot be. */
const FRESH_S = 60;
const WHILE_REVALIDATING_S = 600;
const IF_ERROR_S = 3600;
/** Tags that platforms take at once. */
const TAGS_AT_ONCE = 30;
/** Vercel takes no longer ones; of two that begin alike both are purged. */
const LONGEST_TAG = 256;

const shorten = (tags: readonly string[]) => tags.map((tag) => tag.slice(0, LONGEST_TAG));

/** The platform's cache, as Astro's adapter knows it; `header` bounds the time, `isThere` whether it runs. */
export function frontCache(
  provider: CacheProvider,
  { header, isThere = () => true }: { header: string; isThere?: () => boolean },
): FrontCache {
  return {
    headersFor(tags, request) {
      const headers =
        provider.setHeaders?.({ maxAge: FRESH_S, swr: WHILE_REVALIDATING_S, tags: shorten(tags) }, request) ??
        new Headers();
      headers.set(header, `${headers.get(header) ?? ''}, stale-if-error=${IF_ERROR_S}`);
      return headers;
    },
    header,
    async purge(tags) {
      if (!isThere()) return;
      for (let from = 0; from < tags.length; from += TAGS_AT_ONCE)
        await provider.invalidate({ tags: shorten(tags.slice(from, from + TAGS_AT_ONCE)) });
    },
  };
}
