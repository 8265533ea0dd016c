import type { Migration } from '../migration.ts';

export const commentEdits: Migration = {
  number: 12,
  sqlite: [`alter table comments add column edit_time integer`],
  postgres: [`alter table comments add column edit_time bigint`],
};
