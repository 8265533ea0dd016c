import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table pending_changes (
    kind ${string} not null check (kind in ('article', 'comment')), id ${string} not null,
    author_id ${string} not null references users (id) on delete cascade,
    state ${string} not null check (state in ('held', 'refused')), reasons ${string} not null,
    note ${string} not null, fields ${string} not null, create_time ${integer} not null, primary key (kind, id)
  )`;

const index = `create index pending_changes_oldest on pending_changes (state, create_time, kind, id)`;

/** Changes of approved articles and comments that wait for staff, while readers see the approved text. */
export const pendingChanges: Migration = {
  number: 44,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, index],
  postgres: [table(text, 'bigint'), index],
};
