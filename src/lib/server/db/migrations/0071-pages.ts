import { text, type Migration } from '../migration.ts';
import { hidingTriggers, postgresTrigger, sqliteTrigger } from './0052-exact-totals.ts';

const triggers = hidingTriggers(
  ['is_public', 'status', 'moderation', 'wanted_secret', 'author_id'],
  (user) => `articles.is_public = 0
    and not (articles.is_page = 1 and articles.status = 'normal' and articles.moderation = ''
      and articles.wanted_secret = 0)
    and (articles.author_id <> ${user} or articles.status = 'cancel')`,
);

const both = [
  `create index page_slugs_article_id on page_slugs (article_id)`,
  `create index articles_pages on articles (id) where is_page = 1`,
];

/**
 * Pages of the site: articles that are in no list (decision 0116). `pages` has their place in the tree,
 * `page_slugs` their former slugs. A parent may be missing: `moye move` copies rows in one pass.
 */
export const pages: Migration = {
  number: 71,
  sqlite: [
    `alter table articles add column is_page integer not null default 0 check (is_page in (0, 1))`,
    `create table pages (
      article_id text primary key references articles (id) on delete cascade, slug text not null unique,
      parent_id text not null default '', position integer not null,
      in_feeds integer not null default 0 check (in_feeds in (0, 1))
    ) strict, without rowid`,
    `create table page_slugs (
      slug text primary key, article_id text not null references pages (article_id) on delete cascade
    ) strict, without rowid`,
    ...both,
    ...triggers.map(({ name }) => `drop trigger ${name}`),
    ...triggers.map(sqliteTrigger),
  ],
  postgres: [
    `alter table articles add column is_page integer not null default 0 check (is_page in (0, 1))`,
    `create table pages (
      article_id ${text} primary key references articles (id) on delete cascade,
      slug ${text} not null constraint pages_slug unique,
      parent_id ${text} not null default '', position integer not null,
      in_feeds integer not null default 0 check (in_feeds in (0, 1))
    )`,
    `create table page_slugs (
      slug ${text} primary key, article_id ${text} not null references pages (article_id) on delete cascade
    )`,
    ...both,
    ...triggers.flatMap(({ name, on }) => [
      `drop trigger ${name} on ${on.split(' ').at(-1)}`,
      `drop function ${name} ()`,
    ]),
    ...triggers.flatMap(postgresTrigger),
  ],
};
