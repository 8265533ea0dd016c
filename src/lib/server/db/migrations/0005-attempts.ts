import { text, type Migration } from '../migration.ts';

/** `attempts`: RateLimiterPostgres's columns, for several processes. Unlogged: a crash may lose it. */
export const attempts: Migration = {
  number: 5,
  sqlite: [],
  postgres: [
    `create unlogged table attempts (key ${text} primary key, points integer not null, expire bigint)`,
  ],
};
