import { addressOf } from '../../contract/rules/pictures.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { hostOf } from './addresses.ts';

type OldAddress =
  | { kind: 'article'; id: string; anchor: string }
  /** A page or file of that site; `absolute` is its full address if an origin is known. */
  | { kind: 'own'; absolute: string; path: string }
  | { kind: 'other' };

export type OldAddresses = ReturnType<typeof createOldAddresses>;

const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** @param origins `https://old.example`: addresses there belong to the site */
export function createOldAddresses(origins: readonly string[]) {
  const articles = new Map<string, string>();
  const known = origins.flatMap((origin) => URL.parse(origin) ?? []);
  const hosts = new Set(known.map(hostOf));
  const first = known[0]?.origin;

  function split(address: string): { path: string; query: string; anchor: string } | null {
    if (address === '' || address.startsWith('#')) return null;
    const isAbsolute = SCHEME.test(address);
    const url = URL.parse(address, first ?? 'http://site.invalid');
    if (!url || !/^https?:$/.test(url.protocol)) return null;
    if (isAbsolute && !hosts.has(hostOf(url))) return null;
    return { path: url.pathname, query: url.search, anchor: url.hash };
  }

  return {
    add(paths: readonly string[], id: string): void {
      for (const path of paths) articles.set(plain(path), id);
    },
    resolve(written: string): OldAddress {
      const address = addressOf(written.trim());
      const parts = split(address);
      if (!parts) return { kind: 'other' };
      const { path, query, anchor } = parts;
      const id = articles.get(plain(path + query)) ?? articles.get(plain(path));
      if (id !== undefined) return { kind: 'article', id, anchor };
      const whole = path + query + anchor;
      if (SCHEME.test(address)) return { kind: 'own', absolute: address, path: whole };
      return { kind: 'own', absolute: first === undefined ? address : first + whole, path: whole };
    },
  };
}

function plain(path: string): string {
  const [bare = '', query = ''] = path.split('?', 2);
  const trimmed = decodeAddress(bare)
    .replace(/\/(?:index\.html?)?$/i, '')
    .toLowerCase();
  return query === '' ? trimmed || '/' : `${trimmed}?${query}`;
}
