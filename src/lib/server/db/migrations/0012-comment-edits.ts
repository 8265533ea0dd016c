import type { Migration } from '../migration.ts';

/** Time of the author's last edit of a comment, or null. */
export const commentEdits: Migration = {
  number: 12,
  sqlite: [`alter table comments add column edit_time integer`],
  postgres: [`alter table comments add column edit_time bigint`],
};
