import { DEFAULT_ZONE } from '../../../markdown-file/dates.ts';
import { asText, pick } from '../../../markdown-file/front-matter.ts';
import { isTimeZone } from '../../../shared/site-settings.ts';
import type { Generator } from '../generator.ts';
import { readOldSite, type OldSite } from '../../old-site.ts';

type Site = Pick<Generator, 'kind' | 'settings'>;

/** Names of the setting with the site's address, and of the one with the path below its host. */
const ADDRESSES: Record<Generator['kind'], readonly [string, string]> = {
  hexo: ['url', 'root'],
  jekyll: ['url', 'baseurl'],
  hugo: ['baseURL', ''],
  astro: ['', ''],
  vuepress: ['', ''],
  unknown: ['', ''],
};
/** Hosts of the addresses that new sites have in their settings. */
const PLACEHOLDER = /(?:^|\.)(?:example\.(?:com|org|net)|yoursite\.com|yourdomain\.com|localhost)$/;

const textOf = ({ settings }: Site, name: string): string =>
  name === '' ? '' : asText(pick(settings ?? {}, name));

/** Path under which the whole site was served, `/blog`; empty for the root of its host. */
export function basePath(site: Site): string {
  const [url, path] = ADDRESSES[site.kind];
  // Hexo's default for `root` is the path of `url`.
  const written = textOf(site, path) || (URL.parse(textOf(site, url))?.pathname ?? '');
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  return parts.map((part) => `/${part}`).join('');
}

/**
 * Returns the site as its own settings describe it; null if they do not. No address is completed to one of
 * the old site, because it may be offline.
 */
export function siteInSettings(site: Site): OldSite | null {
  const url = URL.parse(textOf(site, ADDRESSES[site.kind][0]));
  if (!url || PLACEHOLDER.test(url.hostname)) return null;
  const found = readOldSite(new URL(basePath(site) || '/', url).href);
  return found && { ...found, addressOf: () => null };
}

/** Zone of the site's dates that name none. `unknown` is a zone in the settings that does not exist. */
export function zoneOf(site: Site): { zone: string; unknown: string | null } {
  const written = textOf(site, 'timezone');
  if (written === '') return { zone: DEFAULT_ZONE, unknown: null };
  return isTimeZone(written) ? { zone: written, unknown: null } : { zone: DEFAULT_ZONE, unknown: written };
}
