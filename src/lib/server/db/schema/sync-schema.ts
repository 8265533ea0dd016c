export interface SyncSchema {
  synced_files: SyncedFilesTable;
}

/** A file of an author's folder, by its path there, and the article or picture that it became. */
export interface SyncedFilesTable {
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
}
