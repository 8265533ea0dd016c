import type { Platform } from './edge.ts';

const FRESH_MS = 60_000;

/** A Node process of its own: nothing in front keeps pages, so it shows visitors its copies for a minute. */
export const platform: Platform = { freshMs: FRESH_MS };
