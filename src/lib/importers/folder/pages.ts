import { posix } from 'node:path';
import { asText, pick } from '../../markdown-file/front-matter.ts';
import type { Generator } from './generator.ts';
import { isIndex, nameOf } from './reading/names.ts';
import type { SiteFile } from './site-visibility.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const LAYOUTS = words(
  'page about home index landing 404 error search archive archives tag tags category categories link links friend friends message messageboard guestbook timeline shuoshuo gallery books movies',
);
const TYPES = words(
  'about home tag tags category categories archive archives link links friend friends message guestbook search 404 timeline shuoshuo gallery books movies music page',
);
/** Names of pages that get a date from their generator like an article. */
const NAMES = words(
  'about me home index search archive archives tag tags category categories link links friend friends message messageboard guestbook timeline shuoshuo gallery photos books movies music projects resume contact privacy sitemap 关于 友链 友情链接 归档 标签 分类 留言 留言板 说说 相册',
);
/** Pages that this site makes itself. */
const LISTED = words(
  '404 home index landing error search archive archives tag tags category categories timeline sitemap 归档 标签 分类',
);
const POSTS = /^(?:posts?|blogs?|articles?|文章|博客)$/i;
/** Documents of a project, at its root and without front matter; tools/moye-publish.mjs has the same. */
export const DOCUMENTS =
  /^(?:readme|licen[cs]e|copying|changelog|contributing|code_of_conduct|security|claude|agents|gemini)(?:[-._][\w-]+)*$/i;
/** Instructions for programming tools, in any folder. */
export const INSTRUCTIONS = /^(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?$/;

const BESIDE_POSTS = '不在 _posts 里的页面';
const DOCUMENT = '项目的说明文件';
const IN_MENU = '菜单里的页面';
const IN_PAGES = 'pages 文件夹里的页面';
/** Whether only the place of the file made it a page. */
export const isByPlace = (reason: string): boolean => [BESIDE_POSTS, IN_PAGES, IN_MENU].includes(reason);

/** A file that may be a page. */
export interface SourcePage extends SiteFile {
  /** Relative to the imported folder. */
  path: string;
  /** Whether front matter or the path gives a date. */
  isDated: boolean;
}

/**
 * Returns why a file is a page of its site (about, links, 404 …), in Chinese; null for an article.
 * @param hasPosts whether a folder, relative to the imported one, contains `_posts`
 */
export function pageReason(
  file: SourcePage,
  generator: Pick<Generator, 'kind' | 'isProject'>,
  hasPosts: (folder: string) => boolean,
): string | null {
  const stated = statedReason(file);
  if (stated !== null) return stated;
  if (isDocument(file, generator)) return DOCUMENT;
  const placed = placedReason(file, generator.kind, hasPosts);
  if (placed === null) return null;
  const { reason, folders } = placed;
  const name = (isIndex(file.path) ? (folders.at(-1) ?? 'index') : nameOf(file.path)).toLowerCase();
  const isListed = folders.some((folder) => POSTS.test(folder)) && !(isIndex(file.path) && POSTS.test(name));
  const isPost = file.isDated && reason !== IN_MENU && !NAMES.has(name);
  return isListed || isPost ? null : reason;
}

function statedReason({ sitePath, metadata }: SourcePage): string | null {
  const name = nameOf(sitePath).toLowerCase();
  const layout = asText(pick(metadata, 'layout', 'pageLayout')).toLowerCase();
  const type = asText(pick(metadata, 'type')).toLowerCase();
  if (name === '404' || /^\/?404(?:\.html)?\/?$/.test(asText(pick(metadata, 'permalink')))) return '404 页';
  if (LAYOUTS.has(layout)) return `layout: ${layout}`;
  if (TYPES.has(type)) return `type: ${type}`;
  return name === '_index' ? '栏目页 _index.md' : null;
}

function isDocument(
  { sitePath, metadata }: SourcePage,
  { isProject }: Pick<Generator, 'isProject'>,
): boolean {
  if (Object.keys(metadata).length > 0) return false;
  const name = nameOf(sitePath);
  return INSTRUCTIONS.test(name) || (isProject && !sitePath.includes('/') && DOCUMENTS.test(name));
}

/** Returns why the place of a file makes it a page, and the folders below that place; null if it does not. */
function placedReason(
  { path, sitePath, metadata }: SourcePage,
  kind: Generator['kind'],
  hasPosts: (folder: string) => boolean,
): { reason: string; folders: string[] } | null {
  const folders = posix.dirname(sitePath).split('/');
  const pages = folders.findLastIndex((folder) => folder === 'pages' || folder === '_pages');
  if (pages >= 0) return { reason: IN_PAGES, folders: folders.slice(pages + 1) };
  if (folders.some(isCollection)) return null;
  if (kind === 'hexo' && folders[0] === 'source') return { reason: BESIDE_POSTS, folders: folders.slice(1) };
  if (kind === 'jekyll') return { reason: BESIDE_POSTS, folders };
  if (kind === 'vuepress') return null;
  if (kind === 'hugo') return inHugo(folders, nameOf(sitePath), metadata);
  const own = path.split('/').slice(0, -1);
  const above = ['', ...own].findIndex((_, index) => hasPosts(own.slice(0, index).join('/')));
  return above < 0 ? null : { reason: BESIDE_POSTS, folders: own.slice(above) };
}

/** A page of Hugo is in no section, or in one like 关于, and has a name of pages or a place in a menu. */
function inHugo([content, ...folders]: readonly string[], name: string, metadata: SiteFile['metadata']) {
  if (content !== 'content') return null;
  const [section = name] = folders;
  const isOutside = folders.length === 0 || (name === 'index' && folders.length === 1);
  if (isOutside && pick(metadata, 'menu', 'menus') !== undefined) return { reason: IN_MENU, folders };
  return NAMES.has(section.toLowerCase()) ? { reason: BESIDE_POSTS, folders } : null;
}

/** Whether the text of a page would be lost on this site, which has such lists itself. */
export function isMadeHere(
  { path, metadata }: Pick<SourcePage, 'path' | 'metadata'>,
  reason: string,
): boolean {
  const folder = posix.basename(posix.dirname(path));
  const name = (isIndex(path) && folder !== '.' ? folder : nameOf(path)).toLowerCase();
  const stated = [pick(metadata, 'layout', 'pageLayout'), pick(metadata, 'type')];
  const isSection = nameOf(path) === '_index' && !NAMES.has(name);
  return (
    reason === DOCUMENT ||
    isSection ||
    [name, ...stated.map((value) => asText(value).toLowerCase())].some((each) => LISTED.has(each))
  );
}

const isCollection = (folder: string): boolean =>
  /^_(?!pages$|includes$|layouts$|data$|site$|sass$|plugins$)[\w-]+$/.test(folder);
