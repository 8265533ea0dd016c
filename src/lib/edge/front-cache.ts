import type { CacheProvider } from 'astro';
import type { FrontCache } from './cached-pages.ts';

/** Short in case a purge is lost. Stale pages are served while a new one is rendered, or if that fails. */
const FRESH_S = 60;
const WHILE_REVALIDATING_S = 600;
const IF_ERROR_S = 3600;
const TAGS_AT_ONCE = 30;
/** Maximum tag length on Vercel. Two tags with the same beginning are purged together. */
const LONGEST_TAG = 256;

const shorten = (tags: readonly string[]) => tags.map((tag) => tag.slice(0, LONGEST_TAG));

export function frontCache(
  provider: CacheProvider,
  { header, isAvailable = () => true }: { header: string; isAvailable?: () => boolean },
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
      if (!isAvailable()) return;
      for (let from = 0; from < tags.length; from += TAGS_AT_ONCE)
        await provider.invalidate({ tags: shorten(tags.slice(from, from + TAGS_AT_ONCE)) });
    },
  };
}
