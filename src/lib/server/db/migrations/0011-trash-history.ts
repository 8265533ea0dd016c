import { text, type Migration } from '../migration.ts';

const indexes = [
  `create index trash_author on trash (author_id, trash_time desc, article_id desc)`,
  `create index trash_expire on trash (trash_time)`,
  `create index article_schedules_author on article_schedules (author_id)`,
  `create index article_schedules_due on article_schedules (publish_time) where problem = ''`,
  `create index article_versions_list on article_versions (article_id, create_time desc, id desc)`,
];

/**
 * Moves articles deleted earlier to the trash. Their former status is unknown: as drafts, they are not
 * published by a restore.
 */
const takeDeleted = (now: string) =>
  `insert into trash (article_id, author_id, status, trash_time)
    select id, author_id, 'draft', ${now} from articles where status = 'cancel'`;

export const trashHistory: Migration = {
  number: 11,
  sqlite: [
    `alter table users add column version_bytes integer not null default 0`,
    `create table trash (
      article_id text primary key references articles (id) on delete cascade,
      author_id text not null references users (id),
      status text not null check (status in ('normal', 'draft')), trash_time integer not null
    ) strict`,
    takeDeleted(`cast(unixepoch('subsec') * 1000 as integer)`),
    `create table article_schedules (
      article_id text primary key references articles (id) on delete cascade,
      author_id text not null references users (id), publish_time integer not null, problem text not null
    ) strict`,
    `create table article_versions (
      id text primary key, article_id text not null references articles (id) on delete cascade,
      kind text not null check (kind in ('publication', 'draft')),
      title text not null, content text not null, tags text not null, secret integer not null check (secret in (0, 1)),
      description text not null default '', cover text not null default '',
      create_time integer not null, digest text not null, bytes integer not null
    ) strict`,
    ...indexes,
  ],
  postgres: [
    `alter table users add column version_bytes bigint not null default 0`,
    `create table trash (
      article_id ${text} constraint trash_article_id primary key references articles (id) on delete cascade,
      author_id ${text} not null references users (id),
      status ${text} not null check (status in ('normal', 'draft')), trash_time bigint not null
    )`,
    takeDeleted(`(extract(epoch from now()) * 1000)::bigint`),
    `create table article_schedules (
      article_id ${text} constraint article_schedules_article_id primary key references articles (id) on delete cascade,
      author_id ${text} not null references users (id), publish_time bigint not null, problem ${text} not null
    )`,
    `create table article_versions (
      id ${text} constraint article_versions_id primary key,
      article_id ${text} not null references articles (id) on delete cascade,
      kind ${text} not null check (kind in ('publication', 'draft')),
      title ${text} not null, content ${text} not null, tags ${text} not null,
      secret integer not null check (secret in (0, 1)),
      description ${text} not null default '', cover ${text} not null default '',
      create_time bigint not null, digest ${text} not null, bytes bigint not null
    )`,
    ...indexes,
  ],
};
