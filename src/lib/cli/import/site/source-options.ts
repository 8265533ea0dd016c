/** What the command line says of a source besides its path. */
export interface SourceOptions {
  /** Origins that the site was served from, beside those that the source names. */
  origins: readonly string[];
  /** Folder of the site's pictures, where they are apart. */
  uploads: string | undefined;
  /** Whether pages are taken, as secret articles. */
  pages: boolean;
  /** Begins the names of the tables, where a source may hold several sites. */
  prefix?: string | undefined;
}
