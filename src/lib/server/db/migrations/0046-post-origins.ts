import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table post_origins (
    id ${string} not null, kind ${string} not null check (kind in ('article', 'comment')),
    item_id ${string} not null, user_id ${string} not null, username ${string} not null,
    address ${string} not null, create_time ${integer} not null, primary key (id)
  )`;

const indexes = [
  `create index post_origins_time on post_origins (create_time, id)`,
  `create index post_origins_item on post_origins (item_id)`,
];

/** Client address and account of each saved post, while the operator records them. */
export const postOrigins: Migration = {
  number: 46,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, ...indexes],
  postgres: [table(text, 'bigint'), ...indexes],
};
