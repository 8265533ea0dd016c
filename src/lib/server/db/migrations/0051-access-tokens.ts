import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table access_tokens (
    id ${string} not null, user_id ${string} not null references users (id) on delete cascade,
    name ${string} not null, hash ${string} not null, scopes ${string} not null,
    create_time ${integer} not null, expire_time ${integer} not null,
    last_used ${integer}, last_address ${string} not null, primary key (id)
  )`;

const indexes = [
  `create unique index access_tokens_hash_key on access_tokens (hash)`,
  `create index access_tokens_user on access_tokens (user_id)`,
];

/** Access tokens, by which programs act for an account. */
export const accessTokens: Migration = {
  number: 51,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, ...indexes],
  postgres: [table(text, 'bigint'), ...indexes],
};
