import type { CacheProvider } from 'astro';
import type { FrontCache } from './cached-pages.ts';

/** Short in case a purge is lost. Stale pages are served while a new one is rendered, or if that fails. */
const MAX_AGE_S = 60;
const STALE_WHILE_REVALIDATE_S = 600;
const STALE_IF_ERROR_S = 3600;
const TAG_BATCH_SIZE = 30;
/** Maximum tag length on Vercel. Two tags with the same beginning are purged together. */
const MAX_TAG_CHARACTERS = 256;

const shorten = (tags: readonly string[]) => tags.map((tag) => tag.slice(0, MAX_TAG_CHARACTERS));

export function frontCache(
  provider: CacheProvider,
  { header, isAvailable = () => true }: { header: string; isAvailable?: () => boolean },
): FrontCache {
  return {
    headersFor(tags, request) {
      const headers =
        provider.setHeaders?.(
          { maxAge: MAX_AGE_S, swr: STALE_WHILE_REVALIDATE_S, tags: shorten(tags) },
          request,
        ) ?? new Headers();
      headers.set(header, `${headers.get(header) ?? ''}, stale-if-error=${STALE_IF_ERROR_S}`);
      return headers;
    },
    header,
    async purge(tags) {
      if (!isAvailable()) return;
      for (let from = 0; from < tags.length; from += TAG_BATCH_SIZE)
        await provider.invalidate({ tags: shorten(tags.slice(from, from + TAG_BATCH_SIZE)) });
    },
  };
}
