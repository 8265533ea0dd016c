import { text, type Migration } from '../migration.ts';

/**
 * The search index. `search_documents` numbers public articles; a larger number is a newer article. The FTS5
 * tables hold precomputed tokens (src/lib/server/search/text/tokens.ts) without the text. `search_entries`
 * holds the distinct tokens of a document, and the folded text, in which phrases are looked up.
 * `search_changes` tells owners of cached results what changed.
 */
export const search: Migration = {
  number: 2,
  sqlite: [
    `create table search_documents (
      document integer primary key, article_id text not null, second integer not null
    ) strict`,
    `create unique index search_documents_article_id on search_documents (article_id)`,
    `create index search_documents_second on search_documents (second, document)`,
    `create virtual table search_heads using fts5 (title, tags, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    `create virtual table search_whole using fts5 (tokens, content = '', contentless_delete = 1, tokenize = 'ascii')`,
    // A change without a document means that everything changed.
    `create table search_changes (generation integer primary key autoincrement, document integer) strict`,
    `create table search_state (version integer not null, building integer not null, cursor integer not null) strict`,
    `insert into search_state (version, building, cursor) values (0, 0, 0)`,
  ],
  postgres: [
    `create table search_documents (
      document bigint constraint search_documents_document primary key, article_id ${text} not null, second bigint not null
    )`,
    `create unique index search_documents_article_id on search_documents (article_id)`,
    `create index search_documents_second on search_documents (second, document)`,
    // Rows so small that counting many of them reads few pages: long values are stored out of line.
    `create table search_entries (
      document bigint constraint search_entries_document primary key,
      title ${text} not null, tags ${text} not null, whole ${text} not null, tokens ${text} not null
    ) with (toast_tuple_target = 128)`,
    `alter table search_entries alter title set storage main, alter tags set storage main`,
    // Not compressed: it is read for every text that has the tokens of a phrase.
    `alter table search_entries alter whole set storage external`,
    // A function with a setting is not inlined; the planner would not match an inlined one to the index.
    `create function search_tokens (tokens text) returns text[] language sql immutable strict parallel safe
      set search_path = pg_catalog, pg_temp return string_to_array(tokens, ' ')`,
    // With fastupdate every search would also read a list of pending tokens.
    `create index search_entries_tokens on search_entries using gin (search_tokens(tokens)) with (fastupdate = off)`,
    // Searches do not need statistics on common tokens, and collecting them would read all tokens.
    `alter index search_entries_tokens alter column 1 set statistics 0`,
    `create table search_changes (generation bigint constraint search_changes_generation primary key, document bigint)`,
    `create table search_state (version integer not null, building integer not null, cursor bigint not null)`,
    `insert into search_state (version, building, cursor) values (0, 0, 0)`,
  ],
};
