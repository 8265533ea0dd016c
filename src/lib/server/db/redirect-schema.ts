/** The table of former addresses. */
export interface RedirectSchema {
  former_paths: FormerPathsTable;
}

/** Where an article stood on the site it comes from. */
export interface FormerPathsTable {
  /** In the form of redirects/canonical-path.ts; one article has it. */
  path: string;
  article_id: string;
}
