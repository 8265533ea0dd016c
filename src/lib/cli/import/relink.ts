import { explain } from '../explain.ts';
import type { AddressBook, Destination } from './addresses.ts';
import type { RawArticle } from './article.ts';
import { warn, type Run } from './import-run.ts';
import { findAddresses } from './rewrite.ts';
import type { FoundFile } from './walk.ts';

/** What of an article names other files: here with the addresses of the new site. Pictures are stored on the way. */
export async function relink(
  run: Run,
  book: AddressBook,
  file: FoundFile,
  article: RawArticle,
): Promise<{ content: string }> {
  const addresses = findAddresses(article.body);
  const replacements = new Map<string, string>();
  for (const url of new Set(addresses.urls)) {
    const destination = book.resolve(url, file.path);
    if (destination.kind === 'other') continue;
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
  return { content: addresses.replace(replacements) };
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

const COMPLAINTS = {
  outside: '链接指向文件夹之外，保留原样',
  'missing-image': '找不到图片，链接保留原样',
  'missing-article': '找不到链接的文章，保留原样',
};
