import { realpathSync, statSync } from 'node:fs';
import { explain, UsageError } from '../../cli/explain.ts';
import { pictureBelow } from '../site/picture-bytes.ts';

export interface Uploads {
  /**
   * @param address absolute
   * @param origins origins that served the site
   * @returns the file's bytes; null if the folder does not contain it
   */
  read(address: string, origins: readonly string[]): Promise<Uint8Array | null>;
}

/**
 * Opens the uploads of a Typecho site. Nothing outside the folder is read, whatever an address contains.
 * @param folder `usr/uploads`, the site's root, or undefined
 * @throws UsageError if it cannot be read
 */
export function openUploads(folder: string | undefined): Uploads {
  if (folder === undefined) return { read: async () => null };
  const root = rootOf(folder);
  return {
    async read(address, origins) {
      const url = URL.parse(address);
      if (!url || !origins.some((origin) => hostOf(new URL(origin)) === hostOf(url))) return null;
      return pictureBelow(root, placesOf(decoded(url.pathname)));
    },
  };
}

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    throw new UsageError(`${explain(error)}：${folder}`, { cause: error });
  }
  throw new UsageError(`不是文件夹：${folder}`);
}

function placesOf(path: string): string[] {
  const behind = ['/usr/uploads/', '/uploads/', '/usr/'].flatMap((part) => {
    const at = path.indexOf(part);
    return at < 0 ? [] : [path.slice(at + part.length)];
  });
  return [...behind, path.replace(/^\/+/, '')];
}

const hostOf = (url: URL): string => url.host.replace(/^www\./, '');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
