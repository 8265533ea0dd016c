import type { Schema } from './schema/schema.ts';

/** A table that `moye move` copies; `key` is its primary key and the order of copying and comparing. */
export interface MovedTable {
  name: keyof Schema;
  key: readonly string[];
  batchSize: number;
}

const SMALL_ROW_BATCH_SIZE = 500;
const LARGE_ROW_BATCH_SIZE = 20;

/** Ordered by references: each row is copied after the rows that it references. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'users', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'former_names', key: ['name_hash'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'tags', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'tag_aliases', key: ['name'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'series', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'articles', key: ['seq'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_bodies', key: ['article_id'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'article_revisions', key: ['article_id'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'article_requests', key: ['author_id', 'request_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_schedules', key: ['article_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_versions', key: ['id'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'article_reads', key: ['article_id', 'day'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'month_reads', key: ['month', 'article_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'site_picks', key: ['kind', 'article_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'former_paths', key: ['path'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_slugs', key: ['slug'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'pages', key: ['article_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'page_slugs', key: ['slug'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'trash', key: ['article_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_tags', key: ['article_id', 'tag_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'comments', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'comment_recipients', key: ['comment_id', 'user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'withheld_items', key: ['kind', 'id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'withheld_comments', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'moderation_decisions', key: ['id'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'pending_changes', key: ['kind', 'id'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'listed_words', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'written_prints', key: ['print', 'author_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'signins', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'refresh_tokens', key: ['hash'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'user_totps', key: ['user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'recovery_codes', key: ['user_id', 'hash'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'passkeys', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'user_emails', key: ['user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'identities', key: ['issuer', 'subject'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'account_tickets', key: ['hash'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'closings', key: ['user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'access_tokens', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'known_places', key: ['user_id', 'place'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'files', key: ['name'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'picture_variants', key: ['file'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'imports', key: ['owner_id', 'source'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'synced_files', key: ['owner_id', 'path'], batchSize: LARGE_ROW_BATCH_SIZE },
  { name: 'counters', key: ['name'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'article_days', key: ['day'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'comment_days', key: ['day'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'sitemap_parts', key: ['part'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'pushes', key: ['article_id', 'engine'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'site_options', key: ['name'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'operator_settings', key: ['name'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'friends', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'reports', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'post_origins', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'audit_log', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'outbox', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'webhooks', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'notifications', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'notice_settings', key: ['user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'invitations', key: ['id'], batchSize: SMALL_ROW_BATCH_SIZE },
  { name: 'invitation_uses', key: ['user_id'], batchSize: SMALL_ROW_BATCH_SIZE },
];

/**
 * Tables that are not copied: the search index, related articles, picture uses and articles of the feeds of
 * friends, which are rebuilt; rows that triggers add; attempts; today's quota uses; links to become the
 * operator; a database's records of itself and its backups.
 */
export const LEFT_TABLES =
  /^(?:search_\w+|related_\w+|friend_entries|\w+_pictures|picture_scans|invisible_comments|schema_version|sqlite_\w+|moves|attempts|quota_uses|operator_links|space_checks|backups)$/;
