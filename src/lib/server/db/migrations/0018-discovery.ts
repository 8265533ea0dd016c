import { text, type Migration } from '../migration.ts';

/** Adds existing articles. The width is that of `PART_SIZE` when this was written. */
const fill = `insert into sitemap_parts
  select seq / 1000, count(*), max(update_time) from articles where is_public = 1 group by seq / 1000`;

const both = [
  fill,
  `create index users_authors on users (id) where page_num > 0`,
  `create index tags_used on tags (id) where is_listed = 1 and page_num > 0`,
  `create index pushes_due on pushes (engine, due_time)`,
];

/**
 * The sitemap in parts, because a request must not read all articles; and notifications of search engines.
 */
export const discovery: Migration = {
  number: 18,
  sqlite: [
    `create table sitemap_parts (
      part integer primary key, article_num integer not null, update_time integer not null
    ) strict`,
    `create table pushes (
      article_id text not null, engine text not null, change_time integer not null, due_time integer not null,
      tries integer not null, problem text not null, primary key (article_id, engine)
    ) strict, without rowid`,
    ...both,
  ],
  postgres: [
    `create table sitemap_parts (
      part bigint constraint sitemap_parts_part primary key, article_num bigint not null, update_time bigint not null
    )`,
    `create table pushes (
      article_id ${text} not null, engine ${text} not null, change_time bigint not null, due_time bigint not null,
      tries integer not null, problem ${text} not null, constraint pushes_article_id_engine primary key (article_id, engine)
    )`,
    ...both,
  ],
};
