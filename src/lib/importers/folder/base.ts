import type { ImportRecord } from '../../server/articles/import/import-service.ts';

/**
 * Returns the path under which the files of a folder are recorded: its own, or the folder's path before it
 * was moved or copied, if at least half of these files are recorded there unchanged. Equal names alone prove
 * nothing.
 * @param root the folder's real path, `/` separated
 * @param files path relative to the folder and SHA-256 of each
 */
export function findBase(
  root: string,
  files: readonly { path: string; hash: string }[],
  records: readonly ImportRecord[],
): string {
  if (records.some(({ source }) => source.startsWith(`${root}/`))) return root;
  const sources = new Map<string, string[]>();
  for (const { source, fileHash } of records)
    sources.set(fileHash, [...(sources.get(fileHash) ?? []), source]);
  const votes = new Map<string, number>();
  for (const { path, hash } of files) {
    for (const source of sources.get(hash) ?? []) {
      if (!source.endsWith(`/${path}`)) continue;
      const base = source.slice(0, -path.length - 1);
      votes.set(base, (votes.get(base) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return best && best[1] * 2 >= files.length ? best[0] : root;
}
