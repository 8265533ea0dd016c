import type { Platform } from './edge.ts';

const FRESH_MS = 60_000;

/** A Node process without a cache in front, so it serves visitors its copies for a minute. */
export const platform: Platform = { freshMs: FRESH_MS };
