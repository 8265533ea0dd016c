import { text, type Migration } from '../migration.ts';

const columns = (type: string) => [
  `alter table articles add column saved_by ${type} not null default ''`,
  `alter table article_revisions add column saved_by ${type} not null default ''`,
];

const readNum = `alter table articles add column read_num`;

export const reads: Migration = {
  number: 14,
  sqlite: [
    ...columns('text'),
    `${readNum} integer not null default 0`,
    `create table article_reads (
      article_id text not null references articles (id) on delete cascade, day integer not null,
      reads integer not null, primary key (article_id, day)
    ) strict, without rowid`,
    `create index article_reads_day on article_reads (day)`,
  ],
  postgres: [
    ...columns(text),
    `${readNum} bigint not null default 0`,
    `create table article_reads (
      article_id ${text} not null references articles (id) on delete cascade, day bigint not null,
      reads bigint not null, primary key (article_id, day)
    )`,
    `create index article_reads_day on article_reads (day)`,
  ],
};
