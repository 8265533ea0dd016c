import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../markdown-file/problem.ts';
import type { ForeignSite, ForeignTag, ForeignUser } from '../site/foreign-site.ts';
import type { SourceOptions } from '../site/source-options.ts';
import { articleOf } from './article.ts';
import { uploadPaths } from './attachments.ts';
import { commentsOf, guestKey, type WpComment } from './comments.ts';
import { isArticle, readItem, type Item } from './item.ts';
import { lossesOf } from './losses.ts';
import { scan, type Index } from './scan.ts';
import { originsOf } from '../site/addresses.ts';
import { openPictures } from '../site/picture-bytes.ts';
import { userNames } from '../site/user-names.ts';
import { readChannel } from './xml.ts';

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
