import type { Migration } from '../migration.ts';
import { text } from './postgres-text.ts';

/**
 * `attempts`: counts in the columns of rate-limiter-flexible's RateLimiterPostgres, where several processes
 * count together. Unlogged: a crash may forget it.
 */
export const attempts: Migration = {
  number: 5,
  sqlite: [],
  postgres: [
    `create unlogged table attempts (key ${text} primary key, points integer not null, expire bigint)`,
  ],
};
