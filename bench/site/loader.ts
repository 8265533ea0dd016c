import type { Row } from './facts.ts';

/** Rows of one transaction, by table. Parents precede children, so foreign keys hold in this order. */
type Rows = ReadonlyMap<string, readonly Row[]>;

/**
 * Loads rows in bulk, like the restoration of a dump: without secondary indexes, triggers and foreign keys,
 * which `steps` creates and checks afterwards. Rows that triggers would add must be loaded, too.
 */
export interface Loader {
  /** Drops what slows down loading; does nothing in a database that `begin` has prepared before. */
  begin(): Promise<void>;
  load(rows: Rows): Promise<void>;
  /** Number of articles that were loaded. */
  count(): Promise<number>;
  /** Steps left to create the indexes and to check the constraints, in order. Each can be run once. */
  steps(): Promise<{ name: string; run(): Promise<void> }[]>;
  close(): Promise<void>;
}

/** Order of the tables: parents first. Tables that are not listed have no parent or come last. */
export const TABLES = [
  'users',
  'tags',
  'series',
  'articles',
  'article_bodies',
  'article_tags',
  'article_reads',
  'month_reads',
  'related_terms',
  'related_topics',
  'related_articles',
  'comments',
  'comment_recipients',
  'withheld_comments',
  'withheld_items',
  'moderation_decisions',
  'trash',
  'reports',
  'outbox',
  'audit_log',
  'pending_changes',
  'article_revisions',
];
