import { text, type Migration } from '../migration.ts';

const tablesOf = (string: string, integer: string) => [
  `create table listed_words (
    id ${string} not null, word ${string} not null, form ${string} not null, category ${string} not null,
    action ${string} not null check (action in ('reject', 'hold', 'mask')), create_time ${integer} not null,
    primary key (id)
  )`,
  `create table held_items (
    kind ${string} not null check (kind in ('article', 'comment')), id ${string} not null,
    reasons ${string} not null, create_time ${integer} not null, primary key (kind, id)
  )`,
  `create table written_prints (
    print ${string} not null, author_id ${string} not null references users (id) on delete cascade,
    create_time ${integer} not null, primary key (print, author_id)
  )`,
];

const both = [
  `create unique index listed_words_form on listed_words (form)`,
  `create index listed_words_newest on listed_words (create_time desc, id desc)`,
  `create index written_prints_author on written_prints (author_id)`,
  `create index written_prints_time on written_prints (create_time)`,
  `create index held_items_oldest on held_items (create_time, kind, id)`,
];

/** The operator's words, what waits for approval with the reasons why, and what was written in a day. */
export const moderation: Migration = {
  number: 27,
  sqlite: [...tablesOf('text', 'integer').map((statement) => `${statement} strict, without rowid`), ...both],
  postgres: [...tablesOf(text, 'bigint'), ...both],
};
