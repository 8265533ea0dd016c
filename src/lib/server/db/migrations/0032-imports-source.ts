import type { Migration } from '../migration.ts';

const index = 'create index imports_source on imports (source)';

/** What an import has taken is found by where it came from, whoever it belongs to. */
export const importsSource: Migration = {
  number: 32,
  sqlite: [index],
  postgres: [index],
};
