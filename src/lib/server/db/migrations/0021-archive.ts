import type { Migration } from '../migration.ts';

/** Adds existing articles; the double modulo puts a time before 1970 on the right day. */
const fill = `insert into article_days
  select (create_time - ((create_time % 86400000) + 86400000) % 86400000) / 86400000 as day, count(*)
  from articles where is_public = 1 group by day`;

/** Public articles published on each day (UTC): an archive sums days instead of counting articles. */
export const archive: Migration = {
  number: 21,
  sqlite: [`create table article_days (day integer primary key, article_num integer not null) strict`, fill],
  postgres: [
    `create table article_days (day bigint constraint article_days_day primary key, article_num bigint not null)`,
    fill,
  ],
};
