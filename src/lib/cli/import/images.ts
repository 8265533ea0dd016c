import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ImportRecord, ImportService } from '../../server/articles/import-service.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';
import { explain } from '../explain.ts';

/** Pictures of the imported files, each stored once whatever its name and run. */
export interface Images {
  /** Where the stored picture is served. Throws with a reason when it cannot be taken. */
  take(absolute: string, bytes: number): Promise<string>;
  /** As `take`, of a picture of another site, which no run asks for twice. */
  fetch(address: string): Promise<string>;
}

const FILE_URL = '/api/file/';
const PREFIX = 'image:';

/** A name in the form of those of stored pictures. */
const imagined = (hash: string) => `${hash.slice(0, 32)}-1x1.webp`;

/** `records` are what earlier runs have taken; in a dry run a new picture's address is served nowhere. */
export function createImages(
  imports: ImportService,
  viewer: Viewer,
  records: readonly ImportRecord[],
  isDryRun: boolean,
): Images {
  const known = new Map<string, Promise<string>>();
  /** By path or address, of this run. */
  const paths = new Map<string, Promise<string>>();
  for (const { source, articleId } of records) {
    if (source.startsWith(PREFIX)) known.set(source.slice(PREFIX.length), Promise.resolve(articleId));
  }
  const store = async (absolute: string, size: number): Promise<string> => {
    if (size > imports.imageBytes) throw new Error(`图片超过 ${imports.imageBytes / 1024 / 1024} MiB`);
    const bytes = await readFile(absolute);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const former = known.get(hash);
    if (former) return former;
    const name = isDryRun ? Promise.resolve(imagined(hash)) : imports.saveImage(viewer, { hash, bytes });
    known.set(hash, name);
    return name;
  };
  const fetch = async (address: string): Promise<string> => {
    const hash = createHash('sha256').update(address).digest('hex');
    const former = known.get(hash);
    if (former) return former;
    if (isDryRun) return imagined(hash);
    const name = imports.saveImage(viewer, { hash, bytes: await imports.fetchPicture(address) });
    known.set(hash, name);
    return name;
  };
  const urlOf = async (name: Promise<string>): Promise<string> => {
    try {
      return FILE_URL + (await name);
    } catch (error) {
      throw new Error(explain(error), { cause: error });
    }
  };
  return {
    take(absolute, bytes) {
      const name = paths.get(absolute) ?? store(absolute, bytes);
      paths.set(absolute, name);
      return urlOf(name);
    },
    fetch(address) {
      // One that failed fails for every article of this run.
      const name = paths.get(address) ?? fetch(address);
      paths.set(address, name);
      return urlOf(name);
    },
  };
}
