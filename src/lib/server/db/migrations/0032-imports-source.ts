import type { Migration } from '../migration.ts';

const index = 'create index imports_source on imports (source)';

/** Finds imported items by source, regardless of their owner. */
export const importsSource: Migration = {
  number: 32,
  sqlite: [index],
  postgres: [index],
};
