import { text, type Migration } from '../migration.ts';

const tableOf = (string: string, integer: string) => `create table backups (
  kind ${string} not null check (kind in ('scheduled', 'manual')), time ${integer}, bytes ${integer} not null,
  error ${string} not null, error_time ${integer}, primary key (kind)
)`;

export const backups: Migration = {
  number: 30,
  sqlite: [`${tableOf('text', 'integer')} strict, without rowid`],
  postgres: [tableOf(text, 'bigint')],
};
