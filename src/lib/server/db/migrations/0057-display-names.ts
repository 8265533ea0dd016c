import { text, type Migration } from '../migration.ts';

const add = (column: string, type: string, initial: string) =>
  `alter table users add column ${column} ${type} not null default ${initial}`;

const columns = (string: string, integer: string) => [
  add('display_name', string, `''`),
  add('display_name_time', integer, '0'),
  add('website', string, `''`),
  add('links', string, `'[]'`),
];

/** Display names, websites and links of users. */
export const displayNames: Migration = {
  number: 57,
  sqlite: columns('text', 'integer'),
  postgres: columns(text, 'bigint'),
};
