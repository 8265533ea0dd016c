import type { Generated } from 'kysely';
import type { FieldName, KindOf } from '../../../contract/rules/authored-fields.ts';
import type { AccountSchema } from './account-schema.ts';
import type { CleanColumn, OptionalCleanColumn } from './clean-columns.ts';
import type { CommentSchema } from './comment-schema.ts';
import type { DiscoverySchema } from './discovery-schema.ts';
import type { FriendSchema } from './friend-schema.ts';
import type { ModerationSchema } from './moderation-schema.ts';
import type { NoticeSchema } from './notice-schema.ts';
import type { PictureSchema } from './picture-schema.ts';
import type { SignupSchema } from './signup-schema.ts';
import type { StaffColumns, StaffSchema } from './staff-schema.ts';
import type { NavigationSchema } from './navigation-schema.ts';

export type { CommentRecipientsTable, CommentsTable } from './comment-schema.ts';

/**
 * The tables. Instants are milliseconds since the epoch (UTC), flags 0 or 1: the same values on both engines.
 * Displayed counters (`*_num`) change in the transaction of what they count, so no page counts rows.
 */
export interface Schema
  extends
    NavigationSchema,
    DiscoverySchema,
    StaffSchema,
    AccountSchema,
    NoticeSchema,
    SignupSchema,
    ModerationSchema,
    FriendSchema,
    CommentSchema,
    PictureSchema {
  users: UsersTable;
  articles: ArticlesTable;
  article_bodies: ArticleBodiesTable;
  article_revisions: ArticleRevisionsTable;
  /** Request ids that clients chose, so a repeated call creates one article. */
  article_requests: {
    author_id: string;
    request_id: string;
    article_id: string;
  };
  article_schedules: ArticleSchedulesTable;
  article_versions: ArticleVersionsTable;
  trash: TrashTable;
  article_tags: {
    tag_id: string;
    article_id: string;
    /** Copies of the article's columns, so a tag's list is one index range. */
    is_public: Flag;
    create_time: number;
    update_time: number;
  };
  tags: TagsTable;
  series: SeriesTable;
  /** One sign-in: the family of refresh tokens that descend from it. Signing out deletes it. */
  signins: {
    id: string;
    user_id: string;
    create_time: number;
    expire_time: number;
    client: string;
    /** Time of the last use, to the hour. */
    last_used: number;
  };
  refresh_tokens: {
    /** SHA-256 of the token's identifier, hex. */
    hash: string;
    signin_id: string;
    create_time: number;
    expire_time: number;
    /** When this token was exchanged, and the identity of its successor, encrypted or derivable. */
    replaced_time: number | null;
    successor: string | null;
  };
  /**
   * A device or address from which a user has signed in `visits` times; `place` is its keyed hash
   * (guard/known-places.ts).
   */
  known_places: {
    user_id: string;
    place: string;
    last_seen: number;
    visits: number;
  };
  files: FilesTable;
  imports: ImportsTable;
  counters: {
    name: 'public_articles' | 'users' | 'listed_tags';
    value: number;
  };
  /** One row while `moye move` copies rows from `source` (db/move-rows.ts) into this database, else empty. */
  moves: {
    source: string;
  };
  /** A user's use of a quota (`QuotaKind`) in the period that began at `span_start`. */
  quota_uses: {
    span_start: number;
    user_id: string;
    kind: string;
    used: number;
  };
  /** Empty except inside a transaction that tests for free space (db/space-check.ts). */
  space_checks: {
    content: string;
  };
  /**
   * A former path (redirects/canonical-path.ts) of an article on the site that it was imported from; unique.
   */
  former_paths: {
    path: string;
    article_id: string;
  };
  /** A slug that an article has or had; `articles.address` is the present one. */
  article_slugs: {
    slug: string;
    article_id: string;
  };
  /** A file of an author's folder, by its path there, and the article or picture that it became. */
  synced_files: {
    owner_id: string;
    path: string;
    kind: 'article' | 'picture';
    /** Id of the article, or name of the picture's file. */
    target: string;
    /** SHA-256 of the file, hex. */
    digest: string;
    /** `update_time` of the article as the file left it: another one means that it was edited on the site. */
    article_time: number;
    /** `update_time` of the revision that the file became, while the change waits for staff; otherwise 0. */
    revision_time: number;
    /** JSON list of the paths that an article refers to. */
    needs: string;
    /** Whether one of those has changed since. */
    is_stale: number;
    /** The file of an article as it was sent; empty for a picture. */
    bytes: Uint8Array;
  };
  /** The last backup of each kind, as this database knows it; a backup does not contain this table. */
  backups: {
    kind: 'scheduled' | 'manual';
    /** Time of the state in the last complete backup; null before the first. */
    time: number | null;
    bytes: number;
    /** Error and time of the last attempt, if it failed; else '' and null. */
    error: string;
    error_time: number | null;
  };
}

export type Flag = 0 | 1;

export interface UsersTable extends StaffColumns {
  id: string;
  username: CleanColumn;
  username_key: string; // `foldName(username)`; unique
  /** argon2id in PHC form, or `sha1$<hex>` for an imported account that has not signed in yet. */
  password_hash: string;
  gender: 'm' | 'f' | 'x';
  bio: CleanColumn;
  /** Shown instead of the username; '' for none. */
  display_name: OptionalCleanColumn;
  /** `skeletonsOf` its letters, by the rules of `skeleton_version`. */
  display_skeleton: Generated<string>;
  written_display_skeleton: Generated<string>;
  /** Time of its last change. */
  display_name_time: Generated<number>;
  /** Time at which the user last changed their username. */
  username_time: Generated<number>;
  website: OptionalCleanColumn;
  /** Addresses as JSON. */
  links: OptionalCleanColumn;
  avatar: string;
  /** URL of a picture of this user (赞赏码); '' for none. */
  thanks: Generated<string>;
  create_time: number;
  /** Public articles, published secret articles, and drafts of this user. */
  page_num: Generated<number>;
  secret_num: Generated<number>;
  draft_num: Generated<number>;
  /** Bytes of this user's uploads, articles and revisions, deleted articles included. */
  stored_bytes: Generated<number>;
  version_bytes: Generated<number>;
  /** `skeletonsOf(username)` by the rules of `skeleton_version`, which is 0 until they are computed. */
  skeleton: Generated<string>;
  written_skeleton: Generated<string>;
  skeleton_version: Generated<number>;
  /** State of a closed account's articles and comments; '' for an open account. */
  closed: Generated<'' | 'kept' | 'removing' | 'removed'>;
}

/** Authored fields as columns: lists are JSON, so a list of articles needs no join. */
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
  /** 1 when status is normal and secret is 0: it is in the lists of every visitor. */
  is_public: Flag;
  /** 1 for a page of the site (decision 0116): it has `secret` 1, so it is in no list. Never changes. */
  is_page: Flag;
  /** While not '', `secret` is 1 regardless of the author: the article is pending, or staff has hidden it. */
  moderation: '' | 'held' | 'hidden';
  /** The author's choice of `secret`, for a page or while `moderation` is not ''. */
  wanted_secret: Flag;
  /** 1 once the article has been published; the first publication of a draft sets its create_time. */
  was_published: Flag;
  create_time: number;
  update_time: number;
  /** Markdown for lists (`listExcerpt`), and whether there is more. */
  excerpt: string;
  has_more: Flag;
  summary: string;
  /** Place in the article's series; equal places are ordered by id. */
  series_no: Generated<number>;
  /** Name of the device that saved it (api/client-name.ts), or ''. */
  saved_by: string;
  read_num: Generated<number>;
  /** Slug in its address `/a/{address}`: `slug`, or the one that the site has given it; '' before. */
  address: string;
}

/** Separate from `articles`, so lists do not read bodies. */
export interface ArticleBodiesTable {
  article_id: string;
  content: string;
  /** UTF-8 bytes: stored as text, the conversion to a string would cost four times as much. */
  html: Uint8Array;
  /** `TocItem[]` as JSON. */
  toc: string;
  text: string;
  words: Generated<number>;
  renderer_version: number;
}

export interface ArticleRevisionsTable extends AuthoredColumns {
  article_id: string;
  /** The article's update_time that the revision is based on. */
  base_time: number;
  update_time: number;
  saved_by: string;
}

export interface ArticleSchedulesTable {
  article_id: string;
  author_id: string;
  publish_time: number;
  /** Reason of a failed publication, in Chinese; '' before. */
  problem: string;
}

export interface ArticleVersionsTable extends AuthoredColumns {
  id: string;
  article_id: string;
  /** A text that readers saw, or an intermediate step. */
  kind: 'publication' | 'draft';
  create_time: number;
  /** SHA-256 of the authored fields: equal texts have equal digests. */
  digest: string;
  bytes: number;
}

export interface TrashTable {
  article_id: string;
  author_id: string;
  status: 'normal' | 'draft';
  trash_time: number;
}

export interface TagsTable {
  id: string;
  name: CleanColumn;
  description: CleanColumn;
  creator_id: string;
  create_time: number;
  update_time: number;
  page_num: Generated<number>;
  /** 0 while only drafts and secret articles use it; others may have one of the same name. */
  is_listed: Flag;
  made_by_name: Generated<Flag>; // 1: shown even without a public article; 0 again once its last one is removed
}

/** An author's articles in a chosen order; `articles.series` references it. */
export interface SeriesTable {
  id: string;
  author_id: string;
  title: CleanColumn;
  description: CleanColumn;
  cover: string;
  create_time: number;
  update_time: number;
  /** Public articles. */
  page_num: Generated<number>;
}

export interface FilesTable {
  name: string;
  owner_id: string;
  kind: 'avatar' | 'image';
  bytes: number;
  create_time: number;
}

export interface ImportsTable {
  owner_id: string;
  /** Absolute path of a file, `image:<sha256>` for a picture, or `site:…` for an item of another site. */
  source: string;
  article_id: string;
  /** SHA-256 of the file and of its article, separated by `:`. */
  digest: string;
}
