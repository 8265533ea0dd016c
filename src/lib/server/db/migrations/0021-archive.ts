import type { Migration } from '../migration.ts';

/** Of articles that are there already; a time before 1970 belongs to the day below, too. */
const fill = `insert into article_days
  select (create_time - ((create_time % 86400000) + 86400000) % 86400000) / 86400000 as day, count(*)
  from articles where is_public = 1 group by day`;

/** How many public articles were published on each day of UTC: an archive counts days, not articles. */
export const archive: Migration = {
  number: 21,
  sqlite: [
    `create table article_days (day integer primary key, article_num integer not null) strict`,
    fill,
  ],
  postgres: [
    `create table article_days (day bigint constraint article_days_day primary key, article_num bigint not null)`,
    fill,
  ],
};
