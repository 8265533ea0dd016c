import type { Migration } from '../migration.ts';

/** When a comment was last changed by its writer, null for never. */
export const commentEdits: Migration = {
  number: 12,
  sqlite: [`alter table comments add column edit_time integer`],
  postgres: [`alter table comments add column edit_time bigint`],
};
