import { text, type Migration } from '../migration.ts';

const columns = (type: string) =>
  ['articles', 'article_revisions', 'article_versions'].map(
    (table) => `alter table ${table} add column slug ${type} not null default ''`,
  );

const both = [`create index article_slugs_article_id on article_slugs (article_id)`];

/** Slugs that authors choose, and all slugs that articles have or had. */
export const articleSlugs: Migration = {
  number: 70,
  sqlite: [
    ...columns('text'),
    `alter table articles add column address text not null default ''`,
    `create table article_slugs (
      slug text primary key, article_id text not null references articles (id) on delete cascade
    ) strict, without rowid`,
    ...both,
  ],
  postgres: [
    ...columns(text),
    `alter table articles add column address ${text} not null default ''`,
    `create table article_slugs (
      slug ${text} constraint article_slugs_slug primary key,
      article_id ${text} not null references articles (id) on delete cascade
    )`,
    ...both,
  ],
};
