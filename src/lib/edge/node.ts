import type { Platform } from './edge.ts';
import { MINUTE_MS } from '../contract/rules/units.ts';

const FRESH_MS = MINUTE_MS;

/** A Node process without a cache in front, so it serves visitors its copies for a minute. */
export const platform: Platform = { freshMs: FRESH_MS };
