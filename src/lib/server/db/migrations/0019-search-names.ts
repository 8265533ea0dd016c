import { text, type Migration } from '../migration.ts';

/**
 * Adds names (tags and author), headings and labels, which filters use, to the search index. SQLite keeps
 * headings in `search_entries`, because its other tables hold only tokens. The index is rebuilt, because its
 * version has changed (src/lib/server/search/text/tokens.ts).
 */
export const searchNames: Migration = {
  number: 19,
  sqlite: [
    `drop table search_heads`,
    `create virtual table search_heads using fts5 (
      title, names, headings, labels, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    `create table search_entries (document integer primary key, title text not null, headings text not null) strict`,
    `create index search_entries_title on search_entries (title, document)`,
  ],
  postgres: [
    `alter table search_entries add column author ${text} not null default '', add column headings ${text} not null default ''`,
    `create index search_entries_title on search_entries (title, document)`,
  ],
};
