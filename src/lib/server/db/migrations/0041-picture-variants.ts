import { text, type Migration } from '../migration.ts';

const both = [
  `create index picture_variants_picture on picture_variants (picture)`,
  `create index picture_variants_asked_day on picture_variants (asked_day)`,
];
const tableOf = (string: string, integer: string) => `create table picture_variants (
  file ${string} not null, picture ${string} not null references files (name) on delete cascade,
  bytes ${integer} not null, asked_day ${integer} not null, primary key (file)
)`;

export const pictureVariants: Migration = {
  number: 41,
  sqlite: [`${tableOf('text', 'integer')} strict, without rowid`, ...both],
  postgres: [tableOf(text, 'bigint'), ...both],
};
