import type { ForeignSite, SourceOptions } from './foreign-site.ts';

export interface Product {
  name: string;
  description: string;
  source: string;
  options?: readonly (readonly [flags: string, description: string])[];
  /** Opens a source. @throws Problem, or the system's error, if the source is invalid */
  open(path: string, options: SourceOptions): Promise<ForeignSite>;
}

const PAGES = [
  ['--pages', '导入页面，成为本站的页面（默认）'],
  ['--no-pages', '不导入页面'],
] as const;

/** Loads readers on demand. */
export const PRODUCTS: readonly Product[] = [
  {
    name: 'mongo',
    description: '导入旧版博客的 MongoDB（mongodump 导出的文件夹或归档）',
    source: 'mongodump 的文件夹，或 --archive 的文件',
    open: async (...source) => (await import('../mongo/mongo-site.ts')).openMongo(...source),
  },
  {
    name: 'wordpress',
    description: '导入 WordPress 网站：文章、评论、分类、标签和用户',
    source: 'WordPress 导出的 XML（WXR），或放着几个这样的文件的文件夹',
    options: PAGES,
    open: async (...source) => (await import('../wordpress/wordpress-site.ts')).openWordpress(...source),
  },
  {
    name: 'ghost',
    description: '导入 Ghost 网站：文章、标签和用户',
    source: 'Ghost 导出的 JSON，或同时装着图片的 zip',
    options: PAGES,
    open: async (...source) => (await import('../ghost/ghost-site.ts')).openGhost(...source),
  },
  {
    name: 'typecho',
    description: '导入 Typecho 网站：文章、评论、标签、分类和用户',
    source: 'MySQL 转储（.sql、.sql.gz）、SQLite 数据库文件，或控制台的备份（.dat）',
    options: [...PAGES, ['--prefix <prefix>', '表前缀，文件里有多个站点时用']],
    open: async (...source) => (await import('../typecho/typecho-site.ts')).openTypecho(...source),
  },
  {
    name: 'halo',
    description: '导入 Halo 2 网站：文章、评论、标签、分类和用户',
    source: '控制台的备份（.zip）',
    options: PAGES,
    open: async (...source) => (await import('../halo/halo-site.ts')).openHalo(...source),
  },
];
