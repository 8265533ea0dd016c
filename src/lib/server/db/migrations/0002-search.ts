import type { Migration } from '../migrate.ts';

/**
 * The search index: `search_documents` numbers public articles so that a larger number is a newer article; the FTS5 tables hold
 * ready-made tokens (src/lib/server/search/tokens.ts) without the text; `search_changes` tells who keeps results what changed.
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
    // A change without a document is a change of everything.
    `create table search_changes (generation integer primary key autoincrement, document integer) strict`,
    `create table search_state (version integer not null, building integer not null, cursor integer not null) strict`,
    `insert into search_state (version, building, cursor) values (0, 0, 0)`,
  ],
  postgres: [],
};
