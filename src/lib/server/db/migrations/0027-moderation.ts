import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table listed_words (
    id ${string} not null, word ${string} not null, form ${string} not null, category ${string} not null,
    action ${string} not null check (action in ('reject', 'hold', 'mask')), create_time ${integer} not null,
    primary key (id)
  )`,
  `create table withheld_items (
    kind ${string} not null check (kind in ('article', 'comment')), id ${string} not null,
    state ${string} not null check (state in ('held', 'hidden', 'deleted')), note ${string} not null,
    reasons ${string} not null, create_time ${integer} not null, primary key (kind, id)
  )`,
  `create table withheld_comments (
    id ${string} not null, article_id ${string} not null references articles (id) on delete cascade,
    author_id ${string} not null references users (id), content ${string} not null,
    reply_user_id ${string} references users (id), reply_content ${string} not null,
    create_time ${integer} not null, request_id ${string}, edit_time ${integer}, mentions ${string} not null,
    recipients ${string} not null, primary key (id)
  )`,
  `create table written_prints (
    print ${string} not null, author_id ${string} not null references users (id) on delete cascade,
    create_time ${integer} not null, primary key (print, author_id)
  )`,
];

const columns = (string: string, integer: string) => [
  `alter table articles add column moderation ${string} not null default '' check (moderation in ('', 'held', 'hidden'))`,
  `alter table articles add column wanted_secret ${integer} not null default 0 check (wanted_secret in (0, 1))`,
];

const both = [
  `create unique index listed_words_form on listed_words (form)`,
  `create index listed_words_newest on listed_words (create_time desc, id desc)`,
  `create index withheld_items_oldest on withheld_items (state, create_time, kind, id)`,
  `create index withheld_comments_article on withheld_comments (article_id, author_id)`,
  `create index withheld_comments_author on withheld_comments (author_id, create_time desc, id desc)`,
  `create index written_prints_author on written_prints (author_id)`,
  `create index written_prints_time on written_prints (create_time)`,
];

/**
 * The operator's word list, fingerprints of recent texts, and content that is pending or hidden: comments in
 * a separate table, which no list of comments reads; articles as secret ones of their author.
 */
export const moderation: Migration = {
  number: 27,
  sqlite: [
    ...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`),
    ...columns('text', 'integer'),
    ...both,
  ],
  postgres: [...tablesOf(text, 'bigint'), ...columns(text, 'integer'), ...both],
};
