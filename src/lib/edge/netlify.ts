import provider from '@astrojs/netlify/cache/provider';
import type { Platform } from './edge.ts';
import { frontCache } from './front-cache.ts';

export const platform: Platform = {
  freshMs: 0,
  front: frontCache(provider(undefined), { header: 'Netlify-CDN-Cache-Control' }),
};
