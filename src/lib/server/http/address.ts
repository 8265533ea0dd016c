import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address used for limits. Each trusted proxy appends the address it saw to X-Forwarded-For, so
 * with `hops` proxies it is that many entries from the right. The client can forge the entries left of it.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const own = request.socket.remoteAddress ?? '';
  if (hops === 0) return own;
  const chain = forwardedChain(request);
  return chain.at(-hops) ?? chain[0] ?? own;
}

/** Returns the addresses in X-Forwarded-For: one for each proxy if the client has sent none. */
export function forwardedChain(request: IncomingMessage): string[] {
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return forwarded.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

export interface Network {
  key: string;
  /** Multiplier for its limits; 1 is one home or office. */
  share: number;
}

/** Subscribers get a /64 or a /56 (RFC 6177), so many /64 networks together deserve little more than one. */
export const WIDE_SHARE = 4;

/** Returns the key for limits: an IPv4 address (mapped or not), an IPv6 address's /64, else the text. */
export function addressKey(address: string): string {
  const { plain, groups } = parse(address);
  return groups ? prefix(groups, 64) : plain;
}

export function networksOf(address: string): [Network, ...Network[]] {
  const { plain, groups } = parse(address);
  if (!groups) return [{ key: plain, share: 1 }];
  return [
    { key: prefix(groups, 64), share: 1 },
    { key: prefix(groups, 56), share: WIDE_SHARE },
  ];
}

function parse(address: string): { plain: string; groups: number[] | null } {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  const mapped = plain.startsWith('::ffff:') ? plain.slice('::ffff:'.length) : '';
  if (isIPv4(mapped)) return { plain: mapped, groups: null };
  return { plain, groups: isIPv6(plain) ? ipaddr.IPv6.parse(plain).parts : null };
}

function prefix([first = 0, second = 0, third = 0, fourth = 0]: number[], bits: 56 | 64): string {
  const last = bits === 56 ? fourth & 0xff00 : fourth;
  return `${[first, second, third, last].map((group) => group.toString(16)).join(':')}::/${bits}`;
}
