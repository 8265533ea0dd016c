import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string, bytes: string) => `create table synced_files (
    owner_id ${string} not null references users (id) on delete cascade, path ${string} not null,
    kind ${string} not null check (kind in ('article', 'picture')), target ${string} not null,
    digest ${string} not null, article_time ${integer} not null, needs ${string} not null,
    is_stale ${integer} not null, bytes ${bytes} not null, primary key (owner_id, path)
  )`;

/** Files that authors keep in step with their articles and pictures. */
export const syncedFiles: Migration = {
  number: 53,
  sqlite: [`${table('text', 'integer', 'blob')} strict, without rowid`],
  postgres: [table(text, 'bigint', 'bytea')],
};
