import { text, type Migration } from '../migration.ts';

const SOURCE = `check ((reporter_id is null) = (email <> ''))`;
const INDEX = `create unique index reports_email on reports (subject_kind, subject_id, email) where email <> ''`;
const SENT = `create index reports_sent on reports (email, create_time) where email <> ''`;

/** Reports by visitors, who leave an address. SQLite cannot change a column, so it gets a new table. */
export const visitorReports: Migration = {
  number: 67,
  sqlite: [
    `create table new_reports (
      id text not null, subject_kind text not null check (subject_kind in ('article', 'comment', 'user')),
      subject_id text not null, reporter_id text references users (id) on delete cascade,
      email text not null default '', reason text not null, note text not null, create_time integer not null,
      decision text not null default '' check (decision in ('', 'upheld', 'dismissed')),
      decided_time integer not null default 0, primary key (id), ${SOURCE}
    ) strict, without rowid`,
    `insert into new_reports (id, subject_kind, subject_id, reporter_id, reason, note, create_time, decision, decided_time)
      select id, subject_kind, subject_id, reporter_id, reason, note, create_time, decision, decided_time from reports`,
    `drop table reports`,
    `alter table new_reports rename to reports`,
    `create unique index reports_subject_kind_subject_id_reporter_id on reports (subject_kind, subject_id, reporter_id)`,
    `create index reports_open on reports (subject_kind, subject_id, create_time) where decision = ''`,
    `create index reports_reporter on reports (reporter_id)`,
    INDEX,
    SENT,
  ],
  postgres: [
    `alter table reports alter column reporter_id drop not null`,
    `alter table reports add column email ${text} not null default ''`,
    `alter table reports add constraint reports_source ${SOURCE}`,
    INDEX,
    SENT,
  ],
};
