// A CommonJS module in which Node finds no named exports.
import ipaddr from 'ipaddr.js';

const { IPv6, isValid, parse, parseCIDR } = ipaddr;

/** Globally routed IPv6 (RFC 4291 §2.4); excludes mapped, translated and site-local addresses. */
const GLOBAL_UNICAST = parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Ranges registered as unicast but not public; the library does not know them. */
const RESERVED = [
  parseCIDR('3fff::/20'), // documentation, RFC 9637
  parseCIDR('168.63.129.16/32'), // Azure's internal platform address
];

/**
 * Returns whether `address` (an IP address as text) is on the public internet: not private, loopback,
 * link-local, multicast, reserved, or an alternative notation of an IPv4 address. SECURITY.md 16.
 */
export function isPublicAddress(address: string): boolean {
  if (!isValid(address)) return false;
  const ip = parse(address);
  if (ip instanceof IPv6 && (ip.zoneId || !ip.match(GLOBAL_UNICAST))) return false;
  const isReserved = RESERVED.some(([range, bits]) => range.kind() === ip.kind() && ip.match(range, bits));
  return ip.range() === 'unicast' && !isReserved;
}
