import type { User } from '../../lib/contract/entities.ts';

/** Website and links of a user. */
export const linksOf = ({ website, profile_links = [] }: User): string[] =>
  website === undefined ? profile_links : [website, ...profile_links];

/** Returns the address without its scheme, as browsers show it: names in other scripts as punycode. */
export function shownLink(address: string): string {
  const { host, pathname, search } = new URL(address);
  return host.replace(/^www\./, '') + (pathname + search).replace(/\/$/, '');
}
