import provider from '@astrojs/vercel/cache/provider';
import type { Platform } from './edge.ts';
import { frontCache } from './front-cache.ts';

export const platform: Platform = {
  freshMs: 0,
  front: frontCache(provider(undefined), { header: 'Vercel-CDN-Cache-Control' }),
};
