import { text, type Migration } from '../migration.ts';

const tableOf = (string: string, integer: string) => `create table former_names (
  name_hash ${string} not null, skeleton_hash ${string} not null, written_hash ${string} not null,
  user_id ${string} references users (id) on delete cascade, end_time ${integer} not null,
  primary key (name_hash)
)`;

const both = ['skeleton_hash', 'written_hash', 'user_id'].map(
  (column) => `create index former_names_${column} on former_names (${column})`,
);

export const formerNames: Migration = {
  number: 39,
  sqlite: [`${tableOf('text', 'integer')} strict, without rowid`, ...both],
  postgres: [tableOf(text, 'bigint'), ...both],
};
