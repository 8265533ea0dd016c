import { text, type Migration } from '../migration.ts';

const articleIndexes = [
  `create unique index articles_id on articles (id)`,
  `create index articles_public_created on articles (create_time desc, id desc) where is_public = 1`,
  `create index articles_public_updated on articles (update_time desc, id desc) where is_public = 1`,
  `create index articles_author_public_created on articles (author_id, create_time desc, id desc) where is_public = 1`,
  `create index articles_author_public_updated on articles (author_id, update_time desc, id desc) where is_public = 1`,
  `create index articles_author_status_created on articles (author_id, status, create_time desc, id desc)`,
  `create index articles_author_status_updated on articles (author_id, status, update_time desc, id desc)`,
];

/** Each list of the product has an index in its order; the final `id` breaks ties within a millisecond. */
export const blog: Migration = {
  number: 1,
  sqlite: [
    `create table users (
      id text primary key, username text not null, username_key text not null, password_hash text not null,
      gender text not null, bio text not null, avatar text not null, create_time integer not null,
      page_num integer not null default 0, secret_num integer not null default 0, draft_num integer not null default 0
    ) strict`,
    `create unique index users_username_key on users (username_key)`,

    `create table articles (
      seq integer primary key autoincrement, id text not null, author_id text not null references users (id),
      title text not null, tags text not null, type text not null,
      status text not null check (status in ('normal', 'draft', 'cancel')), secret integer not null check (secret in (0, 1)),
      is_public integer not null check (is_public = (status = 'normal' and secret = 0)),
      was_published integer not null check (was_published in (0, 1)), create_time integer not null, update_time integer not null,
      excerpt text not null, has_more integer not null, summary text not null
    ) strict`,
    ...articleIndexes,

    `create table article_bodies (
      article_id text primary key references articles (id) on delete cascade,
      content text not null, html blob not null, toc text not null, text text not null, renderer_version integer not null
    ) strict`,
    `create index article_bodies_renderer on article_bodies (renderer_version)`,

    `create table tags (
      id text primary key, name text not null, description text not null, creator_id text not null references users (id),
      create_time integer not null, update_time integer not null, page_num integer not null default 0,
      is_listed integer not null check (is_listed in (0, 1))
    ) strict`,
    `create unique index tags_name on tags (name)`,
    `create index tags_listed_popular on tags (page_num desc, id desc) where is_listed = 1`,

    `create table article_tags (
      tag_id text not null references tags (id), article_id text not null references articles (id) on delete cascade,
      is_public integer not null, create_time integer not null, update_time integer not null,
      primary key (article_id, tag_id)
    ) strict, without rowid`,
    `create index article_tags_created on article_tags (tag_id, create_time desc, article_id desc) where is_public = 1`,
    `create index article_tags_updated on article_tags (tag_id, update_time desc, article_id desc) where is_public = 1`,

    `create table comments (
      id text primary key, article_id text not null references articles (id), author_id text not null references users (id),
      content text not null, reply_user_id text references users (id), reply_content text not null,
      create_time integer not null, request_id text
    ) strict`,
    `create index comments_article on comments (article_id, create_time desc, id desc)`,
    `create index comments_author on comments (author_id, create_time desc, id desc)`,
    `create unique index comments_author_id_request_id on comments (author_id, request_id) where request_id is not null`,
    `create table comment_recipients (
      user_id text not null references users (id), comment_id text not null references comments (id) on delete cascade,
      create_time integer not null, is_read integer not null default 0 check (is_read in (0, 1)),
      primary key (comment_id, user_id)
    ) strict, without rowid`,
    `create index comment_recipients_list on comment_recipients (user_id, create_time desc, comment_id desc)`,
    `create index comment_recipients_unread on comment_recipients (user_id) where is_read = 0`,

    `create table signins (
      id text primary key, user_id text not null references users (id) on delete cascade,
      create_time integer not null, expire_time integer not null
    ) strict`,
    `create index signins_user on signins (user_id)`,
    `create index signins_expire on signins (expire_time)`,
    `create table refresh_tokens (
      hash text primary key, signin_id text not null references signins (id) on delete cascade,
      create_time integer not null, expire_time integer not null, replaced_time integer, successor text
    ) strict`,
    `create index refresh_tokens_signin on refresh_tokens (signin_id)`,

    `create table files (
      name text primary key, owner_id text not null references users (id), kind text not null,
      bytes integer not null, create_time integer not null
    ) strict`,
    `create table imports (
      owner_id text not null references users (id), source text not null, article_id text not null, digest text not null,
      primary key (owner_id, source)
    ) strict, without rowid`,

    `create table counters (name text primary key, value integer not null) strict`,
    `insert into counters (name, value) values ('public_articles', 0), ('users', 0), ('listed_tags', 0)`,
  ],
  postgres: [
    `create table users (
      id ${text} constraint users_id primary key, username ${text} not null, username_key ${text} not null,
      password_hash ${text} not null,
      gender ${text} not null, bio ${text} not null, avatar ${text} not null, create_time bigint not null,
      page_num bigint not null default 0, secret_num bigint not null default 0, draft_num bigint not null default 0
    )`,
    `create unique index users_username_key on users (username_key)`,

    `create table articles (
      seq bigint generated by default as identity constraint articles_seq primary key, id ${text} not null,
      author_id ${text} not null references users (id),
      title ${text} not null, tags ${text} not null, type ${text} not null,
      status ${text} not null check (status in ('normal', 'draft', 'cancel')), secret integer not null check (secret in (0, 1)),
      is_public integer not null check (is_public = (status = 'normal' and secret = 0)::integer),
      was_published integer not null check (was_published in (0, 1)), create_time bigint not null, update_time bigint not null,
      excerpt ${text} not null, has_more integer not null, summary ${text} not null
    )`,
    ...articleIndexes,

    `create table article_bodies (
      article_id ${text} constraint article_bodies_article_id primary key references articles (id) on delete cascade,
      content ${text} not null, html bytea not null, toc ${text} not null, text ${text} not null,
      renderer_version integer not null
    )`,
    `create index article_bodies_renderer on article_bodies (renderer_version)`,

    `create table tags (
      id ${text} constraint tags_id primary key, name ${text} not null, description ${text} not null,
      creator_id ${text} not null references users (id),
      create_time bigint not null, update_time bigint not null, page_num bigint not null default 0,
      is_listed integer not null check (is_listed in (0, 1))
    )`,
    `create unique index tags_name on tags (name)`,
    `create index tags_listed_popular on tags (page_num desc, id desc) where is_listed = 1`,

    `create table article_tags (
      tag_id ${text} not null references tags (id), article_id ${text} not null references articles (id) on delete cascade,
      is_public integer not null, create_time bigint not null, update_time bigint not null,
      constraint article_tags_article_id_tag_id primary key (article_id, tag_id)
    )`,
    `create index article_tags_created on article_tags (tag_id, create_time desc, article_id desc) where is_public = 1`,
    `create index article_tags_updated on article_tags (tag_id, update_time desc, article_id desc) where is_public = 1`,

    `create table comments (
      id ${text} constraint comments_id primary key, article_id ${text} not null references articles (id),
      author_id ${text} not null references users (id),
      content ${text} not null, reply_user_id ${text} references users (id), reply_content ${text} not null,
      create_time bigint not null, request_id ${text}
    )`,
    `create index comments_article on comments (article_id, create_time desc, id desc)`,
    `create index comments_author on comments (author_id, create_time desc, id desc)`,
    `create unique index comments_author_id_request_id on comments (author_id, request_id) where request_id is not null`,
    `create table comment_recipients (
      user_id ${text} not null references users (id), comment_id ${text} not null references comments (id) on delete cascade,
      create_time bigint not null, is_read integer not null default 0 check (is_read in (0, 1)),
      constraint comment_recipients_comment_id_user_id primary key (comment_id, user_id)
    )`,
    `create index comment_recipients_list on comment_recipients (user_id, create_time desc, comment_id desc)`,
    `create index comment_recipients_unread on comment_recipients (user_id) where is_read = 0`,

    `create table signins (
      id ${text} constraint signins_id primary key, user_id ${text} not null references users (id) on delete cascade,
      create_time bigint not null, expire_time bigint not null
    )`,
    `create index signins_user on signins (user_id)`,
    `create index signins_expire on signins (expire_time)`,
    `create table refresh_tokens (
      hash ${text} constraint refresh_tokens_hash primary key,
      signin_id ${text} not null references signins (id) on delete cascade,
      create_time bigint not null, expire_time bigint not null, replaced_time bigint, successor ${text}
    )`,
    `create index refresh_tokens_signin on refresh_tokens (signin_id)`,

    `create table files (
      name ${text} constraint files_name primary key, owner_id ${text} not null references users (id), kind ${text} not null,
      bytes bigint not null, create_time bigint not null
    )`,
    `create table imports (
      owner_id ${text} not null references users (id), source ${text} not null, article_id ${text} not null,
      digest ${text} not null,
      constraint imports_owner_id_source primary key (owner_id, source)
    )`,

    `create table counters (name ${text} constraint counters_name primary key, value bigint not null)`,
    `insert into counters (name, value) values ('public_articles', 0), ('users', 0), ('listed_tags', 0)`,
  ],
};
