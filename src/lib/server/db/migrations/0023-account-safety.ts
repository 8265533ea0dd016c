import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table user_totps (
    user_id ${string} not null references users (id) on delete cascade, secret ${string} not null,
    last_step ${integer} not null, create_time ${integer} not null, primary key (user_id)
  )`,
  `create table recovery_codes (
    user_id ${string} not null references users (id) on delete cascade, hash ${string} not null,
    primary key (user_id, hash)
  )`,
  `create table passkeys (
    id ${string} not null, user_id ${string} not null references users (id) on delete cascade,
    name ${string} not null, public_key ${string} not null, sign_count ${integer} not null,
    transports ${string} not null, create_time ${integer} not null, last_used ${integer} not null,
    primary key (id)
  )`,
  `create table user_emails (
    user_id ${string} not null references users (id) on delete cascade, address ${string} not null,
    address_key ${string} not null, create_time ${integer} not null, primary key (user_id)
  )`,
  `create table account_tickets (
    hash ${string} not null, kind ${string} not null,
    user_id ${string} references users (id) on delete cascade, payload ${string} not null,
    expire_time ${integer} not null, primary key (hash)
  )`,
];

const both = [
  `create index passkeys_user on passkeys (user_id)`,
  `create unique index user_emails_address_key on user_emails (address_key)`,
  `create index account_tickets_user on account_tickets (user_id, kind)`,
  `create index account_tickets_expire on account_tickets (expire_time)`,
  `create index users_closing on users (id) where closed = 'removing'`,
];

const columnsOf = (string: string, integer: string) => [
  `alter table signins add column client ${string} not null default ''`,
  `alter table signins add column last_used ${integer} not null default 0`,
  `alter table users add column closed ${string} not null default ''`,
];

const endOf = (least: string) =>
  `update signins set last_used = create_time, expire_time = ${least}(expire_time, create_time + 15552000000)`;

export const accountSafety: Migration = {
  number: 23,
  sqlite: [
    ...columnsOf('text', 'integer'),
    endOf('min'),
    ...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`),
    ...both,
  ],
  postgres: [...columnsOf(text, 'bigint'), endOf('least'), ...tablesOf(text, 'bigint'), ...both],
};
