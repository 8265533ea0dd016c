import type { Migration } from '../migration.ts';

const ACTION = `check (action in ('reject', 'hold', 'mask', 'except'))`;

/** Exceptions in the list of words. SQLite cannot change a check of a table, so it gets a new table. */
export const wordExceptions: Migration = {
  number: 61,
  sqlite: [
    `create table new_words (
      id text not null, word text not null, form text not null, category text not null,
      action text not null ${ACTION}, create_time integer not null, primary key (id)
    ) strict, without rowid`,
    `insert into new_words select id, word, form, category, action, create_time from listed_words`,
    `drop table listed_words`,
    `alter table new_words rename to listed_words`,
    `create unique index listed_words_form on listed_words (form)`,
    `create index listed_words_newest on listed_words (create_time desc, id desc)`,
  ],
  postgres: [
    `alter table listed_words drop constraint listed_words_action_check`,
    `alter table listed_words add constraint listed_words_action_check ${ACTION}`,
  ],
};
