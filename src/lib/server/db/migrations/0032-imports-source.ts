import type { Migration } from '../migration.ts';

const index = 'create index imports_source on imports (source)';

/** Finds imported items by their source, whoever owns them. */
export const importsSource: Migration = {
  number: 32,
  sqlite: [index],
  postgres: [index],
};
