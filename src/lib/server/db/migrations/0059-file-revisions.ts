import type { Migration } from '../migration.ts';

const column = (integer: string) =>
  `alter table synced_files add column revision_time ${integer} not null default 0`;

/** The revision that a synced file became while its change waits for staff. */
export const fileRevisions: Migration = {
  number: 59,
  sqlite: [column('integer')],
  postgres: [column('bigint')],
};
