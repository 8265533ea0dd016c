import type { Migration } from '../migration.ts';
import { text } from './postgres-text.ts';

/**
 * `attempts`: how often something that is limited was tried, in the columns that rate-limiter-flexible's
 * RateLimiterPostgres wants. Only where several processes have to count together. Unlogged: a crash of the
 * server forgets it, as one of ours would.
 */
export const attempts: Migration = {
  number: 5,
  sqlite: [],
  postgres: [
    `create unlogged table attempts (key ${text} primary key, points integer not null, expire bigint)`,
  ],
};
