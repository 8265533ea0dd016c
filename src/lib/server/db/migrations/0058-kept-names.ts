import { text, type Migration } from '../migration.ts';

const columns = (string: string, integer: string) => [
  `alter table former_names add column name ${string} not null default ''`,
  `alter table users add column username_time ${integer} not null default 0`,
];

/** Former usernames of users who changed theirs, which redirect to the present one. */
export const keptNames: Migration = {
  number: 58,
  sqlite: columns('text', 'integer'),
  postgres: columns(text, 'bigint'),
};
