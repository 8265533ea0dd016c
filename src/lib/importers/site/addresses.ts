/** Host of an address, without `www.`. */
export const hostOf = ({ host }: URL): string => host.replace(/^www\./, '');

/** Returns the origins of web addresses, each once; leaves out other texts. */
export const originsOf = (addresses: readonly string[]): string[] => [
  ...new Set(
    addresses.flatMap((address) => {
      const url = URL.parse(address);
      return url && /^https?:$/.test(url.protocol) ? url.origin : [];
    }),
  ),
];

/** Returns whether an address is on one of a site's origins, with or without `www.`. */
export function createOwnHosts(origins: readonly string[]): (url: URL) => boolean {
  const hosts = new Set(origins.map((origin) => hostOf(new URL(origin))));
  return (url) => hosts.has(hostOf(url));
}

/** Returns an absolute address; '' if it is invalid. @param base for relative addresses */
export const resolveAddress = (address: string, base: string): string =>
  /^https?:/i.test(address) ? address : (URL.parse(address, base)?.href ?? '');
