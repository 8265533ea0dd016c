/** Where a site was served before. */
export interface OldSite {
  /** The path of an address of it, without the path the whole site was under; null for another site's. */
  pathOf(address: string): string | null;
  /** The address of a path from the root of the site. */
  addressOf(path: string): string;
}

/**
 * Reads `--from-url`. Its addresses are known with http and https, and with and without `www.`.
 * @returns null for what is no address of the web
 */
export function readOldSite(written: string): OldSite | null {
  const site = URL.parse(written);
  if (!site || !/^https?:$/.test(site.protocol)) return null;
  const base = site.pathname.replace(/\/+$/, '');
  const host = bareHost(site);
  return {
    pathOf(address) {
      const url = /^(?:https?:)?\/\//i.test(address) ? URL.parse(address, site) : null;
      if (!url || bareHost(url) !== host) return null;
      const isBelow = url.pathname === base || url.pathname.startsWith(`${base}/`);
      // An anchor as it is written: the address would have it encoded.
      const [, hash = ''] = /(#.*)$/s.exec(address) ?? [];
      return isBelow ? url.pathname.slice(base.length) + url.search + hash : null;
    },
    addressOf(path) {
      const rooted = path.startsWith('/') ? path : `/${path}`;
      return site.origin + (rooted.startsWith(`${base}/`) ? rooted : base + rooted);
    },
  };
}

const bareHost = ({ host }: URL): string => host.toLowerCase().replace(/^www\./, '');
