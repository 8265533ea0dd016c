import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address limits count by: each trusted proxy appends the one it saw to X-Forwarded-For, so with `hops`
 * of them it is the entry that far from the right. What stands left of it is the client's claim.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const own = request.socket.remoteAddress ?? '';
  if (hops === 0) return own;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const chain = forwarded.map((entry) => entry.trim()).filter((entry) => entry !== '');
  return chain.at(-hops) ?? chain[0] ?? own;
}

/** A network that limits are counted by. */
export interface Network {
  key: string;
  /** How much of a limit it has, in the shares of one home or office. */
  share: number;
}

/** Subscribers get a /64 or a /56 (RFC 6177): many /64 are worth little more than one. */
export const WIDE_SHARE = 4;

/** What limits count by: an IPv4 address (in IPv6 or not), an IPv6 address's /64, else the text itself. */
export function addressKey(address: string): string {
  const { plain, groups } = parse(address);
  return groups ? prefix(groups, 64) : plain;
}

/** The networks an address counts in, narrowest first: `addressKey`'s, and the /56 of IPv6. */
export function networksOf(address: string): [Network, ...Network[]] {
  const { plain, groups } = parse(address);
  if (!groups) return [{ key: plain, share: 1 }];
  return [
    { key: prefix(groups, 64), share: 1 },
    { key: prefix(groups, 56), share: WIDE_SHARE },
  ];
}

/** The first four groups of an IPv6 address; null for any other, whose text is `plain`. */
function parse(address: string): { plain: string; groups: number[] | null } {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  const mapped = plain.startsWith('::ffff:') ? plain.slice('::ffff:'.length) : '';
  if (isIPv4(mapped)) return { plain: mapped, groups: null };
  if (!isIPv6(plain)) return { plain, groups: null };
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  // Without `::` all groups are in the head; with it, what it stands for begins where the head ends.
  const zeros = tail === undefined ? 0 : 8 - groups.length - countGroups(tail);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')];
  return { plain, groups: all.slice(0, 4).map((group) => Number.parseInt(group, 16)) };
}

function prefix([first = 0, second = 0, third = 0, fourth = 0]: number[], bits: 56 | 64): string {
  const last = bits === 56 ? fourth & 0xff00 : fourth;
  return `${[first, second, third, last].map((group) => group.toString(16)).join(':')}::/${bits}`;
}

function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  // A dotted IPv4 ending stands for two groups.
  return groups.length + (text.includes('.') ? 1 : 0);
}
