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
export const PRODUCTS: readonly Product[] = [
  {
    name: 'mongo',
    description: '导入旧版博客的 MongoDB（mongodump 导出的文件夹或归档）',
    source: 'mongodump 的文件夹，或 --archive 的文件',
    open: async (path, options) => (await import('./mongo/mongo-site.ts')).openMongoSite(path, options),
  },
];
