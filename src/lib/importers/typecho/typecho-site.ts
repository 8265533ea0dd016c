import { commentFromHtml, wordsOf } from '../../markdown/from-html/article.ts';
import type { ForeignRow } from '../../server/db/foreign/foreign-tables.ts';
import type {
  ForeignArticle,
  ForeignComment,
  ForeignEntry,
  ForeignFriend,
  ForeignSite,
  Loss,
  SourceOptions,
} from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { addParagraphs } from '../wordpress/autop.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { orClose } from '../or-close.ts';
import { createOwnHosts, originsOf, resolveAddress } from '../site/addresses.ts';
import { openPictures } from '../site/picture-bytes.ts';
import { pagesLoss, passwordsLoss, realLosses } from '../site/losses.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { PhpError, readStored, valueAt } from './php.ts';
import { openTypechoTables, type TypechoTables } from './tables.ts';
import { articleOf, isPage, isPost, type Contents } from './contents.ts';
import { guestKey, instantOf, listUserIds, userKey, usersOf } from './users.ts';
import { readMetas } from './metas.ts';
import { readOptions, type TypechoOptions } from './options.ts';

const PICTURE = /^(?:png|jpe?g|gif|webp|avif|bmp|svg|tiff?|ico)$/i;

/**
 * Counts attachments that are not pictures, and unreadable records. Pictures are imported with the articles
 * that show them.
 */
export function countAttachments(tables: TypechoTables): { others: number; unreadable: number } {
  const count = { others: 0, unreadable: 0 };
  for (const { text } of tables.rows('contents', { columns: ['text'], where: { type: 'attachment' } })) {
    const path = pathIn(text ?? '');
    if (path === null) count.unreadable += 1;
    else if (!PICTURE.test(path.slice(path.lastIndexOf('.') + 1))) count.others += 1;
  }
  return count;
}

function pathIn(stored: string): string | null {
  try {
    const path = valueAt(readStored(stored), 'path');
    return typeof path === 'string' ? path : null;
  } catch (error) {
    if (error instanceof PhpError) return null;
    throw error;
  }
}

export interface Known {
  users: ReadonlySet<string>;
  articles: ReadonlySet<string>;
}

/** Yields comments in order of creation. @param report receives the losses after the last comment */
export async function* commentsOf(
  source: Contents,
  known: Known,
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignComment> {
  const left = new Map<string, Loss & { count: number }>();
  const lose = (what: string, why: string): void => {
    const loss = left.get(what + why) ?? { what, why, count: 0 };
    left.set(what + why, { ...loss, count: loss.count + 1 });
  };
  for (const row of source.tables.rows('comments', { order: ['created', 'coid'] })) {
    const why = lossOf(row, known);
    if (why !== null) {
      lose('评论', why);
      continue;
    }
    if (row['url'] && !known.users.has(row['authorId'] ?? '')) lose('评论者的网站', '本站不显示，没有导入');
    yield await commentOf(source, row, known.users);
  }
  report([...left.values()]);
}

function lossOf({ type, status, cid }: ForeignRow, { articles }: Known): string | null {
  if (status === 'spam') return '垃圾评论没有导入';
  if (type !== 'comment') return '引用通告（pingback、trackback）没有导入';
  return articles.has(cid ?? '') ? null : '它们的页面没有导入';
}

async function commentOf(
  { options, resolve }: Pick<Contents, 'options' | 'resolve'>,
  row: ForeignRow,
  users: ReadonlySet<string>,
): Promise<ForeignComment> {
  const { coid, cid, authorId, parent, status } = row;
  const text = (row['text'] ?? '').replace(/\r\n?/g, '\n');
  const isAccount = users.has(authorId ?? '');
  return {
    key: coid ?? '',
    article: cid ?? '',
    author: isAccount ? userKey(authorId ?? '') : guestKey(row),
    content: options.areCommentsMarkdown ? text.trim() : await fromHtml(text, resolve),
    created: instantOf(row['created']) ?? 0,
    replyTo: Number(parent) > 0 ? (parent ?? '') : undefined,
    isHeld: status !== 'approved' || undefined,
  };
}

/** Typecho shows comments as HTML with few elements, and preserves line ends. */
const fromHtml = async (text: string, resolve: Contents['resolve']): Promise<string> =>
  (await toMarkdown(commentFromHtml, text, { resolve, prepare: addParagraphs })).markdown;

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
    navigation: () => (pages ? navigationOf(tables) : []),
    friends: () => friendsOf(tables),
    comments: () => commentsOf(source, { users, articles: taken }, (losses) => (lostComments = losses)),
    async picture(address) {
      const url = URL.parse(resolve(address));
      return url && isOwn(url) ? readPicture(uploadPaths(url)) : null;
    },
    losses: () => [...settledLosses(tables, options, users.size, pages), ...lostComments],
    close: async () => tables.close(),
  };
}

/** Themes list the pages at the top in their navigation. */
function navigationOf(tables: TypechoTables): ForeignEntry[] {
  const columns = ['cid', 'title', 'parent'];
  const where = { type: 'page', status: 'publish' };
  const rows = [...tables.rows('contents', { columns, where, order: ['order', 'created', 'cid'] })];
  return rows
    .filter(({ parent }) => !(Number(parent) > 0))
    .map(({ cid, title }) => ({ text: wordsOf(title ?? ''), target: { article: cid ?? '' } }));
}

function friendsOf(tables: TypechoTables): ForeignFriend[] {
  const shown = [...tables.rows('links')].filter(({ state }) => state !== '0');
  return shown
    .toSorted((a, b) => Number(a['order']) - Number(b['order']))
    .map(({ name, url, sort, image, description }) => ({
      name: name ?? '',
      address: url ?? '',
      description: description || undefined,
      logo: image || undefined,
      group: sort || undefined,
    }));
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
