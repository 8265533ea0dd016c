import * as workers from 'cloudflare:workers';
import provider from '@astrojs/cloudflare/cache/provider';
import type { Platform } from './edge.ts';
import { frontCache } from './front-cache.ts';
import type { CachedPage, PlatformCache } from './cached-pages.ts';

const KEYS = 'https://kept-pages.invalid';
const MAX_AGE_S = 3600;

/**
 * The Cache API of one data centre. It cannot purge by tag, so its copies are served only while the API does
 * not respond.
 */
const platformCache: PlatformCache = {
  async get(key) {
    const found = await cache().match(KEYS + key);
    return found ? ((await found.json()) as CachedPage) : null;
  },
  put(key, page) {
    const headers = { 'Cache-Control': `max-age=${MAX_AGE_S}` };
    workers.waitUntil(cache().put(KEYS + key, Response.json(page, { headers })));
  },
  delete(key) {
    workers.waitUntil(cache().delete(KEYS + key));
  },
};

const cache = () => (caches as unknown as { default: Cache }).default;

/** Cloudflare Workers with Workers Cache, which purges everywhere; `wrangler dev` has no purge. */
export const platform: Platform = {
  freshMs: 0,
  front: frontCache(provider(undefined), {
    header: 'Cloudflare-CDN-Cache-Control',
    isAvailable: () => typeof workers.cache?.purge === 'function',
  }),
  platformCache,
};
