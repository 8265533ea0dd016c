import { text, type Migration } from '../migration.ts';

const both = [
  // Bytes stored so far. SQLite and PostgreSQL both know the size of a text without reading it.
  `update users set stored_bytes = stored.bytes from (
    select owner_id, sum(bytes) as bytes from (
      select owner_id, bytes from files
      union all
      select author_id, octet_length(content) from articles join article_bodies on article_id = articles.id
      union all
      select author_id, octet_length(content) from articles join article_revisions on article_id = articles.id
    ) as parts group by owner_id
  ) as stored where stored.owner_id = users.id`,

  `drop index tags_name`,
  `create unique index tags_name on tags (name) where is_listed = 1`,
  `create unique index tags_name_creator_id on tags (name, creator_id) where is_listed = 0`,
  `create index tags_hidden on tags (creator_id, id desc) where is_listed = 0`,
  `create index article_tags_tag on article_tags (tag_id)`,
];

/**
 * `users.stored_bytes`: bytes that an account has stored. `quota_uses`: an account's use of a quota in a
 * period. `space_checks`: written to test for free space, and rolled back or deleted at once. A name has one
 * listed tag; in addition each author may have one that only they see. `article_tags_tag` finds the articles
 * of a tag, hidden ones too.
 */
export const quotas: Migration = {
  number: 6,
  sqlite: [
    `alter table users add column stored_bytes integer not null default 0`,
    ...both,
    `create table quota_uses (
      span_start integer not null, user_id text not null, kind text not null, used integer not null,
      primary key (span_start, user_id, kind)
    ) strict, without rowid`,
    `create table space_checks (content text not null) strict`,
  ],
  postgres: [
    `alter table users add column stored_bytes bigint not null default 0`,
    ...both,
    `create table quota_uses (
      span_start bigint not null, user_id ${text} not null, kind ${text} not null, used bigint not null,
      constraint quota_uses_span_start_user_id_kind primary key (span_start, user_id, kind)
    )`,
    `create table space_checks (content ${text} not null)`,
  ],
};
