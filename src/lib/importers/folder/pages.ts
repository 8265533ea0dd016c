import { asText, pick, type Metadata } from '../../markdown-file/front-matter.ts';
import type { Generator } from './generator.ts';

const LAYOUTS =
  'page about home index landing 404 error search archive archives tag tags category categories link links friend friends message messageboard guestbook timeline shuoshuo gallery books movies'.split(
    ' ',
  );
const TYPES =
  'about home tag tags category categories archive archives link links friend friends message guestbook search 404 timeline shuoshuo gallery books movies music page'.split(
    ' ',
  );

/**
 * Returns why a file is a page of its site (about, links, 404 …), in Chinese; null for an article.
 * @param path relative to the imported folder
 * @param sitePath relative to the folder of the whole site
 * @param hasPosts whether a folder, relative to the imported one, contains `_posts`
 */
export function pageReason(
  { path, sitePath, metadata }: { path: string; sitePath: string; metadata: Metadata },
  { kind }: Pick<Generator, 'kind'>,
  hasPosts: (folder: string) => boolean,
): string | null {
  const parts = sitePath.split('/');
  const name = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '').toLowerCase();
  const layout = asText(pick(metadata, 'layout', 'pageLayout')).toLowerCase();
  const type = asText(pick(metadata, 'type')).toLowerCase();
  if (name === '404' || /^\/?404(?:\.html)?\/?$/.test(asText(pick(metadata, 'permalink')))) return '404 页';
  if (LAYOUTS.includes(layout)) return `layout: ${layout}`;
  if (TYPES.includes(type)) return `type: ${type}`;
  if (name === '_index') return '栏目页 _index.md';
  const folders = parts.slice(0, -1);
  if (folders.some((folder) => folder === 'pages' || folder === '_pages')) return 'pages 文件夹里的页面';
  if (folders.some(isCollection)) return null;
  if (kind === 'hexo' && folders[0] === 'source') return '不在 _posts 里的页面';
  if (kind === 'jekyll') return '不在 _posts 里的页面';
  return isBesidePosts(path, hasPosts) ? '不在 _posts 里的页面' : null;
}

const isCollection = (folder: string): boolean => /^_(?!pages$|includes$|layouts$|data$)[\w-]+$/.test(folder);

function isBesidePosts(path: string, hasPosts: (folder: string) => boolean): boolean {
  const folders = path.split('/').slice(0, -1);
  return (
    folders.some((_, index) => hasPosts(folders.slice(0, index).join('/'))) || hasPosts(folders.join('/'))
  );
}
