import { text, type Migration } from '../migration.ts';

export const revisions: Migration = {
  number: 3,
  sqlite: [
    `create table article_revisions (
      article_id text primary key references articles (id) on delete cascade,
      title text not null, content text not null, tags text not null, secret integer not null check (secret in (0, 1)),
      base_time integer not null, update_time integer not null
    ) strict`,
    `create table article_requests (
      author_id text not null references users (id), request_id text not null, article_id text not null,
      primary key (author_id, request_id)
    ) strict, without rowid`,
  ],
  postgres: [
    `create table article_revisions (
      article_id ${text} constraint article_revisions_article_id primary key references articles (id) on delete cascade,
      title ${text} not null, content ${text} not null, tags ${text} not null,
      secret integer not null check (secret in (0, 1)), base_time bigint not null, update_time bigint not null
    )`,
    `create table article_requests (
      author_id ${text} not null references users (id), request_id ${text} not null, article_id ${text} not null,
      constraint article_requests_author_id_request_id primary key (author_id, request_id)
    )`,
  ],
};
