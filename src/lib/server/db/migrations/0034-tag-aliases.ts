import { text, type Migration } from '../migration.ts';

const tableOf = (string: string, integer: string) => `create table tag_aliases (
  name ${string} not null, tag_id ${string} not null references tags (id) on delete cascade, former_id ${string},
  next_seq ${integer}, create_time ${integer} not null, primary key (name)
)`;

const both = ['tag_id', 'former_id'].map(
  (column) => `create index tag_aliases_${column} on tag_aliases (${column})`,
);

export const tagAliases: Migration = {
  number: 34,
  sqlite: [`${tableOf('text', 'integer')} strict, without rowid`, ...both],
  postgres: [tableOf(text, 'bigint'), ...both],
};
