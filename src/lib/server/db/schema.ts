import type { Generated } from 'kysely';
import type { FieldName, KindOf } from '../../contract/authored-fields.ts';
import type { AccountSchema } from './account-schema.ts';
import type { BackupSchema } from './backup-schema.ts';
import type { CommentRecipientsTable, CommentsTable, WithheldCommentsTable } from './comment-schema.ts';
import type { DiscoverySchema } from './discovery-schema.ts';
import type { ModerationSchema } from './moderation-schema.ts';
import type { NoticeSchema } from './notice-schema.ts';
import type * as pictures from './picture-schema.ts';
import type { RedirectSchema } from './redirect-schema.ts';
import type { SignupSchema } from './signup-schema.ts';
import type { StaffColumns, StaffSchema } from './staff-schema.ts';
import type { WaysSchema } from './ways-schema.ts';

export type { CommentsTable } from './comment-schema.ts';

/**
 * The tables. Instants are milliseconds since the epoch (UTC), flags 0 or 1: the same values on both engines.
 * Printed numbers (`*_num`) change in the transaction of what they count: no page counts rows.
 */
export interface Schema
  extends
    WaysSchema,
    DiscoverySchema,
    StaffSchema,
    AccountSchema,
    NoticeSchema,
    SignupSchema,
    BackupSchema,
    ModerationSchema,
    RedirectSchema {
  users: UsersTable;
  articles: ArticlesTable;
  article_bodies: ArticleBodiesTable;
  article_revisions: ArticleRevisionsTable;
  article_requests: ArticleRequestsTable;
  article_schedules: ArticleSchedulesTable;
  article_versions: ArticleVersionsTable;
  article_pictures: pictures.ArticlePicturesTable;
  revision_pictures: pictures.ArticlePicturesTable;
  version_pictures: pictures.VersionPicturesTable;
  picture_scans: pictures.PictureScansTable;
  picture_variants: pictures.PictureVariantsTable;
  trash: TrashTable;
  article_tags: ArticleTagsTable;
  tags: TagsTable;
  series: SeriesTable;
  comments: CommentsTable;
  comment_recipients: CommentRecipientsTable;
  withheld_comments: WithheldCommentsTable;
  signins: SigninsTable;
  refresh_tokens: RefreshTokensTable;
  known_places: KnownPlacesTable;
  files: FilesTable;
  imports: ImportsTable;
  counters: CountersTable;
  moves: MovesTable;
  quota_uses: QuotaUsesTable;
  space_checks: SpaceChecksTable;
}

export type Flag = 0 | 1;

export interface UsersTable extends StaffColumns {
  id: string;
  username: string;
  username_key: string; // `foldName(username)`; unique
  /** argon2id in PHC form, or `sha1$<hex>` for an imported account that has not signed in yet. */
  password_hash: string;
  gender: 'm' | 'f' | 'x';
  bio: string;
  /** Name of the avatar's file, or the empty string. */
  avatar: string;
  create_time: number;
  /** This user's public articles, published articles only the user sees, and drafts. */
  page_num: Generated<number>;
  secret_num: Generated<number>;
  draft_num: Generated<number>;
  /** Bytes of this user's uploads, articles and revisions, deleted articles included. */
  stored_bytes: Generated<number>;
  /** Bytes of earlier texts of this user's articles. */
  version_bytes: Generated<number>;
  /** `skeletonsOf(username)` by the rules of `skeleton_version`; 0 while they have to be made. */
  skeleton: Generated<string>;
  written_skeleton: Generated<string>;
  skeleton_version: Generated<number>;
  /** What became of a closed account's articles and comments; the empty string for one that is open. */
  closed: Generated<'' | 'kept' | 'removing' | 'removed'>;
}

/** What authors write, as columns: lists as JSON, so that a list of articles needs no join. */
export type AuthoredColumns = {
  [N in FieldName]: KindOf<N> extends 'switch' ? Flag : string;
};

export interface ArticlesTable extends Omit<AuthoredColumns, 'content'> {
  /** Orders the search index; never leaves the server. */
  seq: Generated<number>;
  id: string;
  author_id: string;
  type: string;
  status: 'normal' | 'draft' | 'cancel';
  /** 1 when status is normal and secret is 0: the article is for everybody. */
  is_public: Flag;
  /** Why `secret` is 1 whatever its author wants: it waits for approval, or was taken down. */
  moderation: '' | 'held' | 'hidden';
  /** What its author wants `secret` to be, while `moderation` is not ''. */
  wanted_secret: Flag;
  /** 1 once the article has been published: publishing a draft for the first time sets its create_time. */
  was_published: Flag;
  create_time: number;
  update_time: number;
  /** Markdown a list shows (`listExcerpt`), and whether there is more. */
  excerpt: string;
  has_more: Flag;
  /** Plain text of a card. */
  summary: string;
  /** Place in the article's series; equal ones stand in the order of their ids. */
  series_no: Generated<number>;
  /** What the device that saved it calls itself (api/client-name.ts), or the empty string. */
  saved_by: string;
  /** Reads on all days. */
  read_num: Generated<number>;
}

/** Apart from `articles`, so that a list never walks over bodies. */
export interface ArticleBodiesTable {
  article_id: string;
  content: string;
  /** UTF-8: as text, turning it into a string costs four times as much. */
  html: Uint8Array;
  /** `TocItem[]` as JSON. */
  toc: string;
  /** Visible text, which search highlights. */
  text: string;
  /** How many words `text` has (markdown/word-count.ts). */
  words: Generated<number>;
  renderer_version: number;
}

/** What an author has changed on an article and not published. */
export interface ArticleRevisionsTable extends AuthoredColumns {
  article_id: string;
  /** The article's update_time that the revision was made from. */
  base_time: number;
  update_time: number;
  /** As in `articles`. */
  saved_by: string;
}

/** Request ids that clients chose, so that a repeated call makes one article. */
export interface ArticleRequestsTable {
  author_id: string;
  request_id: string;
  article_id: string;
}

/** When a draft, or the unpublished revision of an article, is to be published. */
export interface ArticleSchedulesTable {
  article_id: string;
  author_id: string;
  publish_time: number;
  /** Why it was refused at its time, in Chinese; empty while it waits. */
  problem: string;
}

/** An earlier text of an article. */
export interface ArticleVersionsTable extends AuthoredColumns {
  id: string;
  article_id: string;
  /** What readers saw, or a step on the way. */
  kind: 'publication' | 'draft';
  /** When the text was saved or published. */
  create_time: number;
  /** SHA-256 of what the author wrote: the same text, the same digest. */
  digest: string;
  /** Of the content. */
  bytes: number;
}

/** A deleted article that its author can still restore. */
export interface TrashTable {
  article_id: string;
  author_id: string;
  /** What it becomes again. */
  status: 'normal' | 'draft';
  trash_time: number;
}

export interface ArticleTagsTable {
  tag_id: string;
  article_id: string;
  /** Copies of the article's columns, so that a tag's list is one index range. */
  is_public: Flag;
  create_time: number;
  update_time: number;
}

export interface TagsTable {
  id: string;
  name: string;
  description: string;
  creator_id: string;
  create_time: number;
  update_time: number;
  page_num: Generated<number>;
  /** 0 while only drafts and secret articles name it: it is its creator's own, and others have theirs. */
  is_listed: Flag;
  made_by_name: Generated<Flag>; // 1 until its last public article goes: shown without one
}

/** Articles that their author has put in an order of their own; `articles.series` names it. */
export interface SeriesTable {
  id: string;
  author_id: string;
  title: string;
  description: string;
  /** Address of an uploaded picture, or the empty string. */
  cover: string;
  create_time: number;
  update_time: number;
}

/** One sign-in: the family of refresh tokens that descend from it. Signing out deletes it. */
export interface SigninsTable {
  id: string;
  user_id: string;
  create_time: number;
  expire_time: number;
  /** What the device calls itself (api/client-name.ts), or the empty string. */
  client: string;
  /** When it was last heard of, to the hour. */
  last_used: number;
}

export interface RefreshTokensTable {
  /** SHA-256 of the token's identifier, hex. */
  hash: string;
  signin_id: string;
  create_time: number;
  expire_time: number;
  /** When this token was exchanged, and its successor's identity, encrypted or derivable. */
  replaced_time: number | null;
  successor: string | null;
}

/** A device or address that a user has signed in from. */
export interface KnownPlacesTable {
  user_id: string;
  /** Keyed hash of the device's or the address's name (auth/known-places.ts). */
  place: string;
  last_seen: number;
  /** How often the user has signed in from there. */
  visits: number;
}

export interface FilesTable {
  name: string;
  owner_id: string;
  kind: 'avatar' | 'image';
  bytes: number;
  create_time: number;
}

/** What an import has taken, so that a second run recognises it. */
export interface ImportsTable {
  owner_id: string;
  /** Absolute path of the file, or `image:<sha256>` for a picture it shows. */
  source: string;
  article_id: string;
  /** SHA-256 of the file and of the article made from it, `:` between them. */
  digest: string;
}

/** Totals over whole tables: `public_articles`, `users`, `listed_tags`. */
export interface CountersTable {
  name: 'public_articles' | 'users' | 'listed_tags';
  value: number;
}

/** One row while `moye move` brings rows into this database, else none. */
export interface MovesTable {
  /** Name of the database they come from. */
  source: string;
}

/** A user's use of a quota in the span of time that began at `span_start`. */
export interface QuotaUsesTable {
  span_start: number;
  user_id: string;
  /** `QuotaKind` of quotas/quota-rules.ts. */
  kind: string;
  used: number;
}

/** Empty but within a transaction that tries whether there is room (db/space-check.ts). */
export interface SpaceChecksTable {
  content: string;
}
