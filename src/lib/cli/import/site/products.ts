import type { ForeignSite } from './foreign-site.ts';

/** What the command line says of a source besides its path. */
export interface SourceOptions {
  /** Origins that the site was served from, beside those that the source names. */
  origins: readonly string[];
  /** Folder of the site's pictures, where they are apart. */
  uploads: string | undefined;
}

/** A product whose sites can be brought in. */
export interface Product {
  /** As the command names it: `moye import <name> <path>`. */
  name: string;
  /** Of the command, in Chinese. */
  description: string;
  /** What the path leads to, in Chinese. */
  source: string;
  /** Opens a source. @throws Problem, or the system's error, for what is none */
  open(path: string, options: SourceOptions): Promise<ForeignSite>;
}

/** Every product whose sites can be brought in. Readers are loaded when they are asked for. */
export const PRODUCTS: readonly Product[] = [];
