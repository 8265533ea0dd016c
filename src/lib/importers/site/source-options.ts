export interface SourceOptions {
  /** Origins that served the site, in addition to those that the source names. */
  origins: readonly string[];
  uploads: string | undefined;
  /** Whether pages are imported, as secret articles. */
  pages: boolean;
  /** Whether hidden parts are left out, so that their articles can be public (`hideParts`). */
  omitsHidden?: boolean | undefined;
  /** Prefix of the tables, for sources with several sites. */
  prefix?: string | undefined;
}
