import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table outbox (
    id ${string} not null, delivery ${string} not null, lane ${string} not null, target ${string} not null,
    unique_key ${string}, payload ${string} not null, create_time ${integer} not null,
    due_time ${integer} not null, give_up_time ${integer} not null, tries integer not null,
    state ${string} not null, settle_time ${integer} not null, problem ${string} not null, primary key (id)
  )`,
  `create table webhooks (
    id ${string} not null, name ${string} not null, format ${string} not null, place ${string} not null,
    sealed ${string} not null, kinds ${string} not null, is_on integer not null,
    create_time ${integer} not null, primary key (id)
  )`,
  `create table notice_settings (
    user_id ${string} not null references users (id) on delete cascade, mode ${string} not null,
    kinds ${string} not null, primary key (user_id)
  )`,
];

const both = [
  `create unique index outbox_unique_key_key on outbox (unique_key)`,
  `create index outbox_due on outbox (lane, due_time) where state = 'waiting'`,
  `create index outbox_delivery on outbox (delivery)`,
  `create index outbox_settled on outbox (state, settle_time)`,
];

export const notices: Migration = {
  number: 24,
  sqlite: [...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`), ...both],
  postgres: [...tablesOf(text, 'bigint'), ...both],
};
