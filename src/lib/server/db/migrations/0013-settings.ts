import { text, type Migration } from '../migration.ts';

const columns = (table: string, type: string) => [
  `alter table ${table} add column series ${type} not null default ''`,
  `alter table ${table} add column source ${type} not null default ''`,
  `alter table ${table} add column licence ${type} not null default ''`,
  `alter table ${table} add column comments_closed integer not null default 0 check (comments_closed in (0, 1))`,
  `alter table ${table} add column pinned integer not null default 0 check (pinned in (0, 1))`,
];

const both = [
  `alter table articles add column series_no integer not null default 0`,
  `create index articles_series on articles (series, series_no, id) where series <> ''`,
  `create index articles_pinned on articles (author_id, create_time desc, id desc) where is_public = 1 and pinned = 1`,
  `create index series_author on series (author_id, id desc)`,
];

export const settings: Migration = {
  number: 13,
  sqlite: [
    `create table series (
      id text primary key, author_id text not null references users (id), title text not null,
      description text not null, cover text not null,
      create_time integer not null, update_time integer not null
    ) strict`,
    ...columns('articles', 'text'),
    ...columns('article_revisions', 'text'),
    ...columns('article_versions', 'text'),
    ...both,
  ],
  postgres: [
    `create table series (
      id ${text} constraint series_id primary key, author_id ${text} not null references users (id), title ${text} not null,
      description ${text} not null, cover ${text} not null,
      create_time bigint not null, update_time bigint not null
    )`,
    ...columns('articles', text),
    ...columns('article_revisions', text),
    ...columns('article_versions', text),
    ...both,
  ],
};
