import { decodeAddress } from '../../markdown/decode-address.ts';

/** A file on the author's computer. */
export interface LocalPath {
  name: string;
  /** The path from each of its last folders on; without the name alone, which many files share. */
  ends: string[];
}

const LOCAL = /^(?:file:|[a-z]:[\\/]|\\\\)/i;
const MAX_FOLDERS = 6;

/** Reads `C:\…`, `file:///…` or `\\server\…`; null for other addresses. */
export function readLocalPath(url: string): LocalPath | null {
  if (!LOCAL.test(url)) return null;
  const path = /^file:/i.test(url) ? decodeAddress(url.slice(5).replace(/[?#].*$/s, '')) : url;
  const [root, ...parts] = path.split(/[\\/]+/).filter((part) => part !== '');
  const ends = parts.slice(0, -1).map((_, index) => parts.slice(index).join('/'));
  return { name: parts.at(-1) ?? root ?? '', ends: ends.slice(-MAX_FOLDERS) };
}
