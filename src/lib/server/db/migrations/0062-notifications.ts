import { text, type Migration } from '../migration.ts';

const statements = (string: string, integer: string, options: string) => [
  `create table notifications (
    id ${string} not null, recipient_id ${string} not null references users (id) on delete cascade,
    kind ${string} not null, subject_kind ${string} not null, subject_id ${string} not null,
    data ${string} not null, create_time ${integer} not null, read_time ${integer}, primary key (id)
  )${options}`,
  `create index notifications_newest on notifications (recipient_id, create_time desc, id desc)`,
  `create index notifications_unread on notifications (recipient_id, create_time desc, id desc)
    where read_time is null`,
  `create index notifications_time on notifications (create_time)`,
];

/** Notifications of users inside the site. */
export const notifications: Migration = {
  number: 62,
  sqlite: statements('text', 'integer', ' strict, without rowid'),
  postgres: statements(text, 'bigint', ''),
};
