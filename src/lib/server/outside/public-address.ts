// CommonJS: Node finds no named exports in it.
import ipaddr from 'ipaddr.js';

const { IPv6, isValid, parse, parseCIDR } = ipaddr;

/** IPv6 that is routed at all (RFC 4291 §2.4): mapped, translated, site-local addresses lie outside. */
const GLOBAL_UNICAST = parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Unicast by their registries, yet no machine of others; the library does not know them. */
const RESERVED = [
  parseCIDR('3fff::/20'), // documentation, RFC 9637
  parseCIDR('168.63.129.16/32'), // what Azure tells its own machines
];

/**
 * Whether `address` (an IP address as text) is one of the public internet: none that is private, loopback,
 * link-local, multicast, reserved, or another way to write an IPv4 address. SECURITY.md 16.
 */
export function isPublicAddress(address: string): boolean {
  if (!isValid(address)) return false;
  const ip = parse(address);
  if (ip instanceof IPv6 && (ip.zoneId || !ip.match(GLOBAL_UNICAST))) return false;
  const isReserved = RESERVED.some(([range, bits]) => range.kind() === ip.kind() && ip.match(range, bits));
  return ip.range() === 'unicast' && !isReserved;
}
