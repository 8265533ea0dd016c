import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignSite, ForeignTag, ForeignUser, Loss, SourceOptions } from '../site/foreign-site.ts';
import { pagesLoss, realLosses } from '../site/losses.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { originsOf } from '../site/addresses.ts';
import { openPictures } from '../site/picture-bytes.ts';
import { userNames } from '../site/user-names.ts';
import { scan, type Index } from './scan.ts';
import { articleOf } from './article.ts';
import { uploadPaths } from './attachments.ts';
import { commentsOf, guestKey, type WpComment } from './comments.ts';
import { isArticle, readItem, type Item } from './item.ts';
import { navigationOf } from './menus.ts';
import { readChannel } from './xml.ts';

const TYPES: Record<string, string> = {
  custom_css: '自定义样式',
  customize_changeset: '外观设置的改动',
  wp_global_styles: '全站样式',
  wp_template: '主题模板',
  wp_template_part: '主题模板的部件',
  oembed_cache: '嵌入内容的缓存',
  revision: '历史版本',
  product: '商品',
};
const HANDLED = new Set(['post', 'page', 'attachment', 'wp_block', 'nav_menu_item', 'wp_navigation']);

export function lossesOf(index: Index, { pages: takesPages, uploads }: SourceOptions): Loss[] {
  const { types, statuses, lostComments, taxonomies, guestsWithSites } = index;
  const left = (counts: ReadonlyMap<string, number>, name: string) => counts.get(name) ?? 0;
  const pages = [...statuses.page].reduce(
    (sum, [status, count]) => (status === 'trash' ? sum : sum + count),
    0,
  );
  return realLosses([
    pagesLoss(pages, takesPages),
    {
      what: '回收站里的文章',
      why: '没有导入',
      count: left(statuses.post, 'trash') + left(statuses.page, 'trash'),
    },
    { what: '自动保存的空稿', why: '没有导入', count: left(statuses.post, 'auto-draft') },
    { what: '没有导入的页面和文章下的评论', why: '没有导入', count: index.commentsLeft },
    { what: '垃圾评论', why: '没有导入', count: lostComments.spam },
    { what: '回收站里的评论', why: '没有导入', count: lostComments.trash },
    { what: 'Pingback 和 Trackback', why: '本站没有，没有导入', count: lostComments.pingback },
    { what: '评论者的网址', why: '本站的评论不带网址，没有导入', count: guestsWithSites },
    {
      what: '媒体库文件',
      why: '没有给出 uploads 文件夹，图片仍指向原站（用 --uploads 指定）',
      count: uploads === undefined ? left(types, 'attachment') : 0,
    },
    {
      what: '菜单项',
      why: '不在页眉或页脚的菜单里，没有导入',
      count: [...index.menus.values()].flat().length - navigationOf(index).length,
    },
    ...[...types].flatMap(([type, count]) =>
      HANDLED.has(type) ? [] : [{ what: TYPES[type] ?? `内容类型 ${type}`, why: '没有导入', count }],
    ),
    ...[...taxonomies].map(([name, count]) => ({ what: `分类法 ${name}`, why: '只导入分类和标签', count })),
  ]);
}

/**
 * Opens a WordPress export (WXR). Each stream reads the files again, one entry at a time; only the index of
 * the first pass stays in memory.
 * @param path a file, or a folder with all files of one export: large sites export several
 * @throws Problem or the system's error if a file cannot be read completely
 */
export async function openWordpress(path: string, options: SourceOptions): Promise<ForeignSite> {
  const paths = pathsOf(path);
  const index = await scan(paths, options);
  const readPicture = openPictures(options.uploads);
  const [site = ''] = index.sites;
  const logins = new Map([...index.authors.values()].map(({ id, login }) => [id, login]));
  const authorOf = (comment: WpComment): string =>
    (comment.userId === '0' ? undefined : logins.get(comment.userId)) ?? guestKey(comment);
  return {
    product: 'WordPress',
    identity: site.replace(/^https?:\/\//i, '').toLowerCase(),
    origins: originsOf([...index.sites, ...options.origins]),
    users: () => users(index),
    tags: () => tags(index),
    series: () => [],
    async *articles() {
      for await (const item of items(paths, options))
        yield articleOf(item, index, options.omitsHidden ?? false);
    },
    async *comments() {
      for await (const item of items(paths, options)) yield* commentsOf(item.id, item.comments, authorOf);
    },
    navigation: () => navigationOf(index),
    picture: (address) => readPicture(uploadPaths(address, index.attachments)),
    losses: () => lossesOf(index, options),
    async close() {},
  };
}

function pathsOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.xml$/i.test(name));
  if (names.length === 0) throw new Problem(`文件夹里没有 WordPress 导出的 .xml 文件：${path}`);
  return names.toSorted().map((name) => join(path, name));
}

function* users(index: Index): Generator<ForeignUser> {
  const nameOf = userNames();
  for (const { login, name, email } of index.authors.values())
    yield { key: login, username: nameOf(name, login), email: email || undefined };
  for (const [key, { name, created }] of index.guests)
    yield { key, username: name, isGuest: true, created: created > 0 ? created : undefined };
}

function* tags({ categories, tags: words }: Index): Generator<ForeignTag> {
  const told = new Set<string>();
  for (const { name, description } of [...categories.values(), ...words.values()]) {
    if (name === '' || told.has(name)) continue;
    told.add(name);
    yield { name, description };
  }
}

async function* items(paths: readonly string[], options: SourceOptions): AsyncGenerator<Item> {
  for (const path of paths) {
    for await (const element of readChannel(path)) {
      if (element.name !== 'item') continue;
      const item = readItem(element);
      if (isArticle(item, options)) yield item;
    }
  }
}
