import { text, type Migration } from '../migration.ts';

const both = (string: string) => [
  `alter table outbox add column subject ${string}`,
  `create index outbox_subject on outbox (target, subject, create_time, id)
    where state = 'waiting' and subject is not null`,
  `create index outbox_log on outbox (target, create_time desc, id desc) where subject is not null`,
];

/** Deliveries about one subject keep their order, and are listed after they were sent. */
export const contentWebhooks: Migration = { number: 54, sqlite: both('text'), postgres: both(text) };
