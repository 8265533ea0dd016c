import { hostOf } from './site/addresses.ts';

export interface OldSite {
  /** Returns an address of the site as a path from the site's root; null for other sites. */
  pathOf(address: string): string | null;
  /** Returns the full address of a path; null if links must not point to the site. */
  addressOf(path: string): string | null;
}

/**
 * Parses `--from-url`. Matches http and https, with and without `www.`.
 * @returns null if it is not a web address
 */
export function readOldSite(written: string): OldSite | null {
  const site = URL.parse(written);
  if (!site || !/^https?:$/.test(site.protocol)) return null;
  const base = site.pathname.replace(/\/+$/, '');
  const host = hostOf(site);
  return {
    pathOf(address) {
      const url = /^(?:https?:)?\/\//i.test(address) ? URL.parse(address, site) : null;
      if (!url || hostOf(url) !== host) return null;
      const isBelow = url.pathname === base || url.pathname.startsWith(`${base}/`);
      // The anchor as written: the parsed URL percent-encodes it.
      const [, hash = ''] = /(#.*)$/s.exec(address) ?? [];
      return isBelow ? url.pathname.slice(base.length) + url.search + hash : null;
    },
    addressOf(path) {
      const rooted = path.startsWith('/') ? path : `/${path}`;
      return site.origin + (rooted.startsWith(`${base}/`) ? rooted : base + rooted);
    },
  };
}
