import type { ImportService } from '../../server/articles/import-service.ts';
import { explain } from '../explain.ts';
import { readArticle } from './article.ts';
import type { Folder } from './walk.ts';

/** A first look at a folder, without the texts: a large folder's need not fit into memory. */
export interface Scanned {
  /** Path of each file that can become an article, with the addresses it had on the old site. */
  addresses: Map<string, string[]>;
  hashes: { path: string; hash: string }[];
  /** Why the others cannot, by path. */
  failures: Map<string, string>;
}

/** Reads every file once, so that links are only rewritten to files that will be articles. */
export async function scan(
  folder: Folder,
  imports: Pick<ImportService, 'fit'>,
  now: number,
): Promise<Scanned> {
  const scanned: Scanned = { addresses: new Map(), hashes: [], failures: new Map() };
  for (const file of folder.files) {
    try {
      const article = await readArticle(file, { folder: folder.name, now });
      imports.fit({ ...article, content: article.body });
      scanned.addresses.set(file.path, article.addresses);
      scanned.hashes.push({ path: file.path, hash: article.hash });
    } catch (error) {
      scanned.failures.set(file.path, explain(error));
    }
  }
  return scanned;
}
