import { text, type Migration } from '../migration.ts';

const columns = (string: string, integer: string) => [
  `alter table users add column banned_until ${integer}`,
  `alter table users add column ban_reason ${string} not null default ''`,
  `alter table users add column ban_hides integer not null default 0 check (ban_hides in (0, 1))`,
];

const reports = (string: string, integer: string) => `create table reports (
  id ${string} not null, subject_kind ${string} not null check (subject_kind in ('article', 'comment', 'user')),
  subject_id ${string} not null, reporter_id ${string} not null references users (id) on delete cascade,
  reason ${string} not null, note ${string} not null, create_time ${integer} not null,
  decision ${string} not null default '' check (decision in ('', 'upheld', 'dismissed')),
  decided_time ${integer} not null default 0,
  constraint reports_id primary key (id)
)`;

const both = [
  `create index users_banned on users (banned_until) where banned_until is not null`,
  `create unique index reports_subject_kind_subject_id_reporter_id on reports (subject_kind, subject_id, reporter_id)`,
  `create index reports_open on reports (subject_kind, subject_id, create_time) where decision = ''`,
  `create index reports_reporter on reports (reporter_id)`,
];

export const bans: Migration = {
  number: 25,
  sqlite: [...columns('text', 'integer'), `${reports('text', 'integer')} strict, without rowid`, ...both],
  postgres: [...columns(text, 'bigint'), reports(text, 'bigint'), ...both],
};
