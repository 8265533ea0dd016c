import { text, type Migration } from '../migration.ts';

/**
 * On PostgreSQL, replaces the GIN index over the tokens of each document by segments: postings of many
 * documents in blocks of bytes, which never change (src/lib/server/search/postgres). New documents are in
 * `search_tail` until they become a segment. The index is rebuilt.
 */
export const searchSegments: Migration = {
  number: 50,
  sqlite: [],
  postgres: [
    `drop table search_entries`,
    `drop function search_tokens (text)`,
    `create table search_entries (
      document bigint constraint search_entries_document primary key, title ${text} not null, headings ${text} not null
    )`,
    `create index search_entries_title on search_entries (title, document)`,
    `create table search_tail (
      document bigint constraint search_tail_document primary key, version bigint generated always as identity
    )`,
    // A segment that is not live is being built, or waits to be deleted.
    `create table search_segments (
      segment integer generated always as identity constraint search_segments_segment primary key,
      base bigint not null, last bigint not null, documents integer not null, changes integer not null,
      is_live integer not null
    )`,
    // Short blocks stay in the row, several on a page; compressing varints saves little. The space of merged
    // segments should soon be free again.
    `create table search_blocks (
      segment integer not null, first bytea not null, data bytea not null,
      constraint search_blocks_segment_first primary key (segment, first)
    ) with (
      toast_tuple_target = 4080, autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05
    )`,
    `alter table search_blocks alter data set storage external`,
    `create table search_dead (
      segment integer not null, document bigint not null,
      constraint search_dead_segment_document primary key (segment, document)
    )`,
    `delete from search_documents`,
    `update search_state set version = 0, building = 0, cursor = 0`,
  ],
};
