import { text, type Migration } from '../migration.ts';

const both = [`create index former_paths_article_id on former_paths (article_id)`];

export const formerPaths: Migration = {
  number: 31,
  sqlite: [
    `create table former_paths (
      path text primary key, article_id text not null references articles (id) on delete cascade
    ) strict, without rowid`,
    ...both,
  ],
  postgres: [
    `create table former_paths (
      path ${text} constraint former_paths_path primary key,
      article_id ${text} not null references articles (id) on delete cascade
    )`,
    ...both,
  ],
};
