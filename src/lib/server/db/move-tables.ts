import type { Schema } from './schema/schema.ts';

/** A table that `moye move` copies; `key` is its primary key and the order of copying and comparing. */
export interface MovedTable {
  name: keyof Schema;
  key: readonly string[];
  atOnce: number;
}

const SMALL = 500;
const LARGE = 20;

/** Ordered by references: each row is copied after the rows that it references. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'users', key: ['id'], atOnce: SMALL },
  { name: 'former_names', key: ['name_hash'], atOnce: SMALL },
  { name: 'tags', key: ['id'], atOnce: SMALL },
  { name: 'tag_aliases', key: ['name'], atOnce: SMALL },
  { name: 'series', key: ['id'], atOnce: SMALL },
  { name: 'articles', key: ['seq'], atOnce: SMALL },
  { name: 'article_bodies', key: ['article_id'], atOnce: LARGE },
  { name: 'article_revisions', key: ['article_id'], atOnce: LARGE },
  { name: 'article_requests', key: ['author_id', 'request_id'], atOnce: SMALL },
  { name: 'article_schedules', key: ['article_id'], atOnce: SMALL },
  { name: 'article_versions', key: ['id'], atOnce: LARGE },
  { name: 'article_reads', key: ['article_id', 'day'], atOnce: SMALL },
  { name: 'month_reads', key: ['month', 'article_id'], atOnce: SMALL },
  { name: 'site_picks', key: ['kind', 'article_id'], atOnce: SMALL },
  { name: 'former_paths', key: ['path'], atOnce: SMALL },
  { name: 'trash', key: ['article_id'], atOnce: SMALL },
  { name: 'article_tags', key: ['article_id', 'tag_id'], atOnce: SMALL },
  { name: 'comments', key: ['id'], atOnce: SMALL },
  { name: 'comment_recipients', key: ['comment_id', 'user_id'], atOnce: SMALL },
  { name: 'withheld_items', key: ['kind', 'id'], atOnce: SMALL },
  { name: 'withheld_comments', key: ['id'], atOnce: SMALL },
  { name: 'listed_words', key: ['id'], atOnce: SMALL },
  { name: 'written_prints', key: ['print', 'author_id'], atOnce: SMALL },
  { name: 'signins', key: ['id'], atOnce: SMALL },
  { name: 'refresh_tokens', key: ['hash'], atOnce: SMALL },
  { name: 'user_totps', key: ['user_id'], atOnce: SMALL },
  { name: 'recovery_codes', key: ['user_id', 'hash'], atOnce: SMALL },
  { name: 'passkeys', key: ['id'], atOnce: SMALL },
  { name: 'user_emails', key: ['user_id'], atOnce: SMALL },
  { name: 'account_tickets', key: ['hash'], atOnce: SMALL },
  { name: 'known_places', key: ['user_id', 'place'], atOnce: SMALL },
  { name: 'files', key: ['name'], atOnce: SMALL },
  { name: 'picture_variants', key: ['file'], atOnce: SMALL },
  { name: 'imports', key: ['owner_id', 'source'], atOnce: SMALL },
  { name: 'counters', key: ['name'], atOnce: SMALL },
  { name: 'article_days', key: ['day'], atOnce: SMALL },
  { name: 'sitemap_parts', key: ['part'], atOnce: SMALL },
  { name: 'pushes', key: ['article_id', 'engine'], atOnce: SMALL },
  { name: 'site_options', key: ['name'], atOnce: SMALL },
  { name: 'reports', key: ['id'], atOnce: SMALL },
  { name: 'audit_log', key: ['id'], atOnce: SMALL },
  { name: 'outbox', key: ['id'], atOnce: SMALL },
  { name: 'webhooks', key: ['id'], atOnce: SMALL },
  { name: 'notice_settings', key: ['user_id'], atOnce: SMALL },
  { name: 'invitations', key: ['id'], atOnce: SMALL },
  { name: 'invitation_uses', key: ['user_id'], atOnce: SMALL },
];

/**
 * Tables that are not copied: the search index, related articles and picture uses, which are rebuilt;
 * attempts; today's quota uses; links to become the operator; a database's records of itself and its backups.
 */
export const LEFT_TABLES =
  /^(?:search_\w+|related_\w+|\w+_pictures|picture_scans|schema_version|sqlite_\w+|moves|attempts|quota_uses|operator_links|space_checks|backups)$/;
