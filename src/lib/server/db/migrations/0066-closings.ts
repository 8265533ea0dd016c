import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table closings (
    user_id ${string} not null references users (id) on delete cascade,
    contents ${string} not null check (contents in ('keep', 'remove')), hash ${string} not null,
    due_time ${integer} not null, primary key (user_id)
  )`;

const indexes = [
  `create unique index closings_hash on closings (hash)`,
  `create index closings_due on closings (due_time)`,
];

/** Accounts that will be closed, unless their owner stops it. */
export const closings: Migration = {
  number: 66,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, ...indexes],
  postgres: [table(text, 'bigint'), ...indexes],
};
