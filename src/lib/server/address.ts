import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address limits are counted by. Each trusted proxy appends the address it saw to X-Forwarded-For, so with `hops` of them
 * the entry that far from the right is the client; what stands left of it is the client's own claim.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const own = request.socket.remoteAddress ?? '';
  if (hops === 0) return own;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const chain = forwarded.map((entry) => entry.trim()).filter((entry) => entry !== '');
  return chain.at(-hops) ?? chain[0] ?? own;
}

/** What limits are counted by: an IPv4 address (mapped into IPv6 or not), the /64 of an IPv6 address, else the text itself. */
export function addressKey(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  const mapped = plain.startsWith('::ffff:') ? plain.slice('::ffff:'.length) : '';
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  // Without `::` all groups are in the head; with it, what it stands for begins where the head ends.
  const zeros = tail === undefined ? 0 : 8 - groups.length - countGroups(tail);
  const network = [...groups, ...Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  // A dotted IPv4 ending stands for two groups.
  return groups.length + (text.includes('.') ? 1 : 0);
}
