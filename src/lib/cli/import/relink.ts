import { addressOf } from '../../contract/pictures.ts';
import type { Authored } from '../../contract/authored-fields.ts';
import { explain } from '../explain.ts';
import type { AddressBook, Destination } from './addresses.ts';
import type { RawArticle } from './article.ts';
import { asText, pick, type Metadata } from '../../markdown-file/front-matter.ts';
import { warn, type Run } from './import-run.ts';
import { findAddresses } from './rewrite.ts';
import type { FoundFile } from './walk.ts';

/** An article's links to other files, with their new addresses; pictures are stored on the way. */
export async function relink(
  run: Run,
  book: AddressBook,
  file: FoundFile,
  article: RawArticle,
): Promise<Pick<Authored, 'content' | 'cover'>> {
  const addresses = findAddresses(article.body);
  const replacements = new Map<string, string>();
  for (const url of new Set(addresses.urls)) {
    const destination = book.resolve(url, file.path);
    if (destination.kind === 'other') {
      const stored = addresses.pictures.has(url) ? await bringIn(run, file, url) : null;
      if (stored !== null) replacements.set(url, stored);
      continue;
    }
    if (destination.kind === 'article') {
      const linkers = run.linkers.get(destination.path) ?? new Set();
      run.linkers.set(destination.path, linkers.add(file.path));
      const id = run.records.get(destination.path)?.articleId ?? '';
      replacements.set(url, `/detail/${id}${destination.anchor}`);
    } else if (destination.kind === 'image') {
      const stored = await takePicture(run, file, url, destination);
      if (stored !== null) replacements.set(url, stored);
    } else {
      warn(run, file.path, `${COMPLAINTS[destination.kind]}：${url}`);
    }
  }
  return { content: addresses.replace(replacements), cover: await coverOf(run, book, file, article) };
}

/** What generators and their themes call the picture above an article. */
const COVERS = [
  'cover',
  'banner',
  'thumbnail',
  'image',
  'featured_image',
  'featuredImage',
  'cover_image',
  'coverImage',
  'banner_img',
  'index_img',
  'top_img',
];

/** The picture that front matter names, stored; empty where it names none of the folder's. */
async function coverOf(run: Run, book: AddressBook, file: FoundFile, { metadata }: RawArticle) {
  const named = COVERS.map((name) => addressIn(pick(metadata, name))).find((address) => address !== '');
  if (named === undefined) return '';
  const destination = book.resolve(named, file.path);
  if (destination.kind === 'image') return (await takePicture(run, file, named, destination)) ?? '';
  const stored = await bringIn(run, file, named);
  if (stored !== null) return stored;
  warn(run, file.path, `封面不是文件夹里的图片，没有导入：${named}`);
  return '';
}

/** The address itself, the first of several, or that of Hugo's and Jekyll's `{ image: … }`, `{ path: … }`. */
function addressIn(value: unknown): string {
  if (Array.isArray(value)) return addressIn(value[0]);
  if (typeof value !== 'object' || value === null) return asText(value);
  return asText(pick(value as Metadata, 'image', 'path', 'src', 'url', 'relative'));
}

/** Stores a picture; resolves to its address, or null where it cannot be taken. */
async function takePicture(
  run: Run,
  file: FoundFile,
  url: string,
  { absolute, bytes }: Extract<Destination, { kind: 'image' }>,
): Promise<string | null> {
  try {
    return await run.images.take(absolute, bytes);
  } catch (error) {
    warn(run, file.path, `图片没有导入：${url}（${explain(error)}）`);
    return null;
  }
}

/** Stores a picture of another site where the run is to; its address, or null where it stays where it is. */
async function bringIn(run: Run, file: FoundFile, url: string): Promise<string | null> {
  const { bringsIn, signal } = run.options;
  const address = addressOf(url.trim());
  if (!/^https?:\/\//i.test(address) || signal?.aborted || !bringsIn?.(address)) return null;
  try {
    return await run.images.fetch(address);
  } catch (error) {
    warn(run, file.path, `外链图片没有存到本站，保留原样：${address}（${explain(error)}）`);
    return null;
  }
}

const COMPLAINTS = {
  outside: '链接指向文件夹之外，保留原样',
  'missing-image': '找不到图片，链接保留原样',
  'missing-article': '找不到链接的文章，保留原样',
};
