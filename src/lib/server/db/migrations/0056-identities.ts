import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table identities (
    issuer ${string} not null, subject ${string} not null,
    user_id ${string} not null references users (id) on delete cascade, name ${string} not null,
    create_time ${integer} not null, last_used ${integer} not null, primary key (issuer, subject)
  )`;

const index = `create unique index identities_user_id_issuer on identities (user_id, issuer)`;

/** Accounts at identity providers that sign users in. */
export const identities: Migration = {
  number: 56,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, index],
  postgres: [table(text, 'bigint'), index],
};
