export interface RedirectSchema {
  former_paths: FormerPathsTable;
}

/** A former path of an article on the site that it was imported from. */
export interface FormerPathsTable {
  /** In the form of redirects/canonical-path.ts; unique. */
  path: string;
  article_id: string;
}
