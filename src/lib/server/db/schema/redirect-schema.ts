export interface RedirectSchema {
  former_paths: FormerPathsTable;
}

/**
 * A former path (redirects/canonical-path.ts) of an article on the site that it was imported from; unique.
 */
export interface FormerPathsTable {
  path: string;
  article_id: string;
}
