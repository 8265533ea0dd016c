import { decodeAddress } from '../../markdown/decode-address.ts';
import { orClose } from '../or-close.ts';
import { createOwnHosts, originsOf, resolveAddress } from '../site/addresses.ts';
import type { ForeignArticle, ForeignSite, Loss } from '../site/foreign-site.ts';
import { openPictures } from '../site/picture-bytes.ts';
import { pagesLoss, passwordsLoss, realLosses } from '../site/losses.ts';
import type { SourceOptions } from '../site/source-options.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { countAttachments } from './attachments.ts';
import { commentsOf } from './comments.ts';
import { articleOf, isPage, isPost, type Contents } from './contents.ts';
import { readMetas } from './metas.ts';
import { readOptions, type TypechoOptions } from './options.ts';
import { openTypechoTables, type TypechoTables } from './tables.ts';
import { listUserIds, usersOf } from './users.ts';

/** Base of relative addresses if the site's address is unknown. */
const UNKNOWN_URL = 'https://typecho.invalid';

/**
 * Opens a site of Typecho 1.0 or later.
 * @throws Problem if the file is invalid; the system's error if the uploads folder does not exist
 */
export async function openTypecho(path: string, source: SourceOptions): Promise<ForeignSite> {
  const readPicture = openPictures(source.uploads);
  const tables = await openTypechoTables(path, source.prefix);
  return orClose(tables, () => siteOf(tables, source, readPicture));
}

function siteOf(
  tables: TypechoTables,
  { origins: given, pages, omitsHidden = false }: SourceOptions,
  readPicture: ReturnType<typeof openPictures>,
): ForeignSite {
  const options = readOptions(tables);
  const base = options.siteUrl || given[0] || UNKNOWN_URL;
  const origins = originsOf([base, ...given]);
  const isOwn = createOwnHosts(origins);
  const resolve = (address: string): string => resolveAddress(address, `${base}/`);
  const users = listUserIds(tables);
  const source: Contents = { tables, options, resolve, metas: readMetas(tables), omitsHidden };
  const isTaken = (type: string): boolean => isPost(type) || (pages && isPage(type));
  const taken = takenIds(tables, isTaken);
  let lostComments: Loss[] = [];
  return {
    product: 'Typecho',
    identity: identityOf(tables),
    origins,
    users: () => usersOf(tables, users),
    tags: () => source.metas.tags(),
    series: () => [],
    async *articles(): AsyncGenerator<ForeignArticle> {
      for (const row of tables.rows('contents', { order: ['created', 'cid'] }))
        if (isTaken(row['type'] ?? '')) yield await articleOf(source, row);
    },
    comments: () => commentsOf(source, { users, articles: taken }, (losses) => (lostComments = losses)),
    async picture(address) {
      const url = URL.parse(resolve(address));
      return url && isOwn(url) ? readPicture(uploadPaths(url)) : null;
    },
    losses: () => [...settledLosses(tables, options, users.size, pages), ...lostComments],
    close: async () => tables.close(),
  };
}

/**
 * Identifies the site by its first account, which is the same in every dump; the site's address may change.
 */
function identityOf(tables: TypechoTables): string {
  for (const { uid, created } of tables.rows('users', {
    columns: ['uid', 'created'],
    order: ['created', 'uid'],
  }))
    return `${uid}@${created}`;
  throw new Problem('里面没有用户，不是 Typecho 的数据');
}

function takenIds(tables: TypechoTables, isTaken: (type: string) => boolean): Set<string> {
  const rows = tables.rows('contents', { columns: ['cid', 'type'] });
  return new Set(Array.from(rows, ({ cid, type }) => (isTaken(type ?? '') ? (cid ?? '') : '')));
}

function settledLosses(
  tables: TypechoTables,
  options: TypechoOptions,
  users: number,
  takesPages: boolean,
): Loss[] {
  const { others, unreadable } = countAttachments(tables);
  let pages = 0;
  for (const { type } of tables.rows('contents', { columns: ['type'] })) pages += isPage(type ?? '') ? 1 : 0;
  const guessed: Loss = {
    what: '固定链接设置',
    why: '没有或看不懂，旧地址按 Typecho 的默认样式 /archives/{cid}/ 转到新文章',
  };
  return realLosses([
    pagesLoss(pages, takesPages),
    passwordsLoss('Typecho', users),
    { what: '附件', why: '不是图片，没有导入', count: others },
    { what: '附件', why: '附件的记录看不懂，没有读取', count: unreadable },
    ...(options.isPatternGuessed ? [guessed] : []),
  ]);
}

/** Returns the places of a picture below `usr/uploads` or the site's root. */
function uploadPaths({ pathname }: URL): string[] {
  const path = decodeAddress(pathname);
  const behind = ['/usr/uploads/', '/uploads/', '/usr/'].flatMap((part) => {
    const at = path.indexOf(part);
    return at < 0 ? [] : [path.slice(at + part.length)];
  });
  return [...behind, path.replace(/^\/+/, '')];
}
