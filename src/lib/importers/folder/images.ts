import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readDataPicture } from '../../markdown-file/data-pictures.ts';
import { Problem } from '../../markdown-file/problem.ts';
import type { ImportService } from '../../server/articles/import/import-service.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';

export type Images = ReturnType<typeof createImages>;

type Saved = Awaited<ReturnType<ImportService['saveImage']>>;

const FILE_URL = '/api/file/';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Stores the pictures of a folder. In a dry run, the addresses of new ones do not work. */
export function createImages(imports: ImportService, viewer: Viewer, isDryRun: boolean) {
  const owner = { id: viewer.id, isUnlimited: true };
  /** Pictures of this run by hash: several files may have the same content. */
  const known = new Map<string, Promise<Saved>>();
  /** By path or address, for this run: a failure applies to every article. */
  const asked = new Map<string, Promise<Saved>>();
  const save = (hash: string, bytes: Uint8Array): Promise<Saved> => {
    const saved = known.get(hash) ?? imports.saveImage(owner, { hash, bytes }, { isDryRun });
    known.set(hash, saved);
    return saved;
  };
  const store = async (absolute: string, size: number): Promise<Saved> => {
    if (size > imports.imageBytes) throw new Problem(`图片超过 ${imports.imageBytes / 1024 / 1024} MiB`);
    const bytes = await readFile(absolute);
    return save(sha256(bytes), bytes);
  };
  const fetch = async (address: string): Promise<Saved> => {
    const hash = sha256(address);
    const former = await imports.findImage(viewer.id, hash);
    if (former !== null) return { name: former, losses: [] };
    if (isDryRun) return { name: `${hash.slice(0, 32)}-1x1.webp`, losses: [] };
    return save(hash, await imports.fetchPicture(address));
  };
  const embed = (address: string): Promise<Saved> => {
    const { bytes } = readDataPicture(address, imports.imageBytes);
    return save(sha256(bytes), bytes);
  };
  const once = async (key: string, begin: () => Promise<Saved>) => {
    const saving = asked.get(key) ?? begin();
    asked.set(key, saving);
    const { name, losses } = await saving;
    return { address: FILE_URL + name, losses };
  };
  return {
    /** Throws if the picture cannot be stored; `explain` has a sentence for the error. */
    take: (absolute: string, bytes: number) => once(absolute, () => store(absolute, bytes)),
    /** Like `take`, for a `data:` address. */
    embed: (address: string) => once(address, async () => embed(address)),
    /** Like `take`, for a picture of another site, which a run requests only once. */
    fetch: (address: string) => once(address, () => fetch(address)),
  };
}
