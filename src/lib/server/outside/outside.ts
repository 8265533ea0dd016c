import { lookup as lookUp, Resolver } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
// A CommonJS module in which Node finds no named exports.
import ipaddr from 'ipaddr.js';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { readBody, readStart, type BodyRules } from './response-body.ts';
import { KIB } from '../../contract/rules/units.ts';

export interface Wanted extends BodyRules {
  /** Returns extra headers for a URL; called again for each redirect. */
  headersFor?(url: URL): Record<string, string>;
}

export interface Sent {
  body: string;
  headers: Record<string, string>;
  /** Aborts the request before the time limit. */
  signal?: AbortSignal | undefined;
  /** Whether the operator's own network is closed: the URL is not the operator's. */
  isPublicOnly?: boolean;
}

interface Got {
  headers: Record<string, string>;
  /** Maximum bytes of the body. */
  most: number;
  /** Aborts the request before the time limit. */
  signal: AbortSignal;
}

export interface OutsideRules {
  resolve(host: string): Promise<string[]>;
  mayConnect(address: string, port: number): boolean;
  /** `host` or `host:port` of receivers on the operator's own network, which `post` may reach. */
  privateHosts: readonly string[];
  /** The same for identity providers of the operator, which `request` may reach. */
  issuerHosts(): Promise<readonly string[]>;
  longestMs: number;
}

export type Outside = ReturnType<typeof createOutside>;

const MAX_REDIRECTS = 3;
const FETCH_TIMEOUT_MS = 15_000;
/** Maximum time to look a name up while an operator saves it. */
const SAVE_TIMEOUT_MS = 3_000;
const MAX_URL_CHARACTERS = 2048;
const WEB_PORTS = [80, 443];
const REDIRECTS = [301, 302, 303, 307, 308];
/** Redirects that keep the method and body; the others would turn a POST into a GET. */
const SENT_AGAIN = [307, 308];
const MAX_RESPONSE_BYTES = 4096;
const ISSUER_TIMEOUT_MS = 8_000;
/** Keys and metadata of a provider are some kilobytes. */
const MAX_ISSUER_BYTES = 512 * KIB;
const NO_BODY = [204, 205, 304];

/**
 * The only client for URLs that users enter (SECURITY.md 16): http and https, no credentials, ports 80 and
 * 443, public addresses only. A name is resolved once, all its addresses are checked, and the connection uses
 * only those, which defeats DNS rebinding.
 */
export function createOutside(rules: Partial<OutsideRules> = {}) {
  const {
    resolve = resolveName,
    mayConnect = isWeb,
    privateHosts = [],
    issuerHosts = async () => [],
    longestMs = FETCH_TIMEOUT_MS,
  } = rules;

  /** Resolves a host and checks all its addresses. Refuses with URL_REFUSED, URL_UNREACHABLE. */
  async function checked(url: URL): Promise<string[]> {
    const { host, port } = placeOf(url);
    const addresses = await addressesOf(host);
    if (addresses.length === 0) refuse('URL_UNREACHABLE', { text: NO_HOST });
    if (!addresses.every((address) => mayConnect(address, port))) refuse('URL_REFUSED');
    return addresses;
  }
  const addressesOf = async (host: string): Promise<string[]> =>
    isIP(host) > 0 ? [host] : resolve(host).catch(() => refuse('URL_UNREACHABLE', { text: NO_HOST }));

  const isAllowed = (url: URL): boolean => privateHosts.includes(url.host);

  /** Resolves a host; those in `hosts`, which the operator permits, may have any address. */
  const checkedExcept = (hosts: readonly string[]) => async (url: URL) => {
    if (!hosts.includes(url.host)) return checked(url);
    const { host } = placeOf(url);
    // Only the system knows the names of a local network (/etc/hosts, mDNS).
    const found = await lookUp(host, { all: true }).catch(() => refuse('URL_UNREACHABLE', { text: NO_HOST }));
    return found.map(({ address }) => address);
  };

  /** Follows redirects and returns the final response; each URL is checked like the first. */
  async function follow(
    start: string,
    {
      redirects: followed,
      ask,
      first = checked,
    }: { redirects: readonly number[]; ask(url: URL): Asking; first?: typeof checked },
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    let url = webUrl(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const addresses = await unlessAborted(signal, (redirects === 0 ? first : checked)(url));
      const answer = await open(url, addresses, ask(url), signal);
      const next = followed.includes(answer.statusCode ?? 0) ? answer.headers.location : undefined;
      if (next === undefined) return answer;
      answer.destroy();
      url = webUrl(next, url);
    }
    return refuse('URL_UNREACHABLE', { text: '这个地址转来转去，没有结果' });
  }

  return {
    /**
     * Returns the body at `url`. Refuses with URL_REFUSED (not on the public web), URL_UNREACHABLE (no
     * response, timeout, a status other than 200, wrong type, too large).
     */
    async fetch(url: string, wanted: Wanted): Promise<Buffer> {
      const signal = AbortSignal.timeout(longestMs);
      try {
        const ask = (at: URL) => ({ method: 'GET', headers: wanted.headersFor?.(at) ?? {} });
        return await readBody(await follow(url, { redirects: REDIRECTS, ask }, signal), wanted);
      } catch (error) {
        if (isRefusal(error)) throw error;
        return refuse('URL_UNREACHABLE', signal.aborted ? { text: TOO_SLOW } : {});
      }
    },

    /**
     * Returns the response to a GET request, whatever its status, with the first `most` bytes of its body.
     * Refuses with URL_REFUSED, URL_UNREACHABLE (no response, or timeout).
     */
    async get(url: string, { headers, most, signal: broken }: Got) {
      const signal = AbortSignal.any([AbortSignal.timeout(longestMs), broken]);
      try {
        const ask = () => ({ method: 'GET', headers });
        const answer = await follow(url, { redirects: REDIRECTS, ask }, signal);
        const start = await readStart(answer, most + 1);
        const { statusCode: status = 0, headers: fields } = answer;
        return { status, headers: fields, body: start.subarray(0, most), isCut: start.length > most };
      } catch (error) {
        if (isRefusal(error, 'URL_REFUSED')) refuse('URL_REFUSED', { text: '这不是公开网站的地址' });
        if (isRefusal(error)) throw error;
        return refuse('URL_UNREACHABLE', { text: signal.aborted ? TOO_SLOW : NO_ANSWER });
      }
    },

    /**
     * Refuses with URL_REFUSED a receiver that `post` can never reach: a private host, or another port than
     * 80 and 443. A name that DNS does not know yet is accepted.
     */
    async requireReceiver(text: string, { isPublicOnly = false } = {}): Promise<void> {
      const url = webUrl(text);
      if (!isPublicOnly && isAllowed(url)) return;
      const { host, port } = placeOf(url);
      const signal = AbortSignal.timeout(SAVE_TIMEOUT_MS);
      const addresses = await unlessAborted(signal, addressesOf(host)).catch(() => []);
      const isReachable =
        addresses.length === 0
          ? WEB_PORTS.includes(port) && !LOCAL_NAME.test(host)
          : addresses.every((address) => mayConnect(address, port));
      if (!isReachable)
        refuse('URL_REFUSED', { field: 'url', text: isPublicOnly ? ONLY_PUBLIC : notPublic(url.host) });
    },

    /**
     * Posts `body` to `url`; returns the response, whatever its status. Refuses with URL_REFUSED (like
     * `fetch`) and URL_UNREACHABLE (no response, or timeout).
     */
    async post(
      url: string,
      { body, headers, signal: broken, isPublicOnly = false }: Sent,
    ): Promise<{ status: number; text: string }> {
      const patience = AbortSignal.timeout(longestMs);
      const signal = broken ? AbortSignal.any([patience, broken]) : patience;
      try {
        const options = { redirects: SENT_AGAIN, ask: () => ({ method: 'POST', headers, body }) };
        const first = isPublicOnly ? checked : checkedExcept(privateHosts);
        const answer = await follow(url, { ...options, first }, signal);
        return { status: answer.statusCode ?? 0, text: String(await readStart(answer, MAX_RESPONSE_BYTES)) };
      } catch (error) {
        if (isRefusal(error, 'URL_REFUSED')) refuse('URL_REFUSED', { text: ONLY_PUBLIC });
        if (isRefusal(error)) throw error;
        return refuse('URL_UNREACHABLE', { text: signal.aborted ? TOO_SLOW : NO_ANSWER });
      }
    },

    /**
     * Requests `url` of an identity provider; follows no redirect. Refuses with URL_REFUSED, URL_UNREACHABLE
     * (no response, timeout, a server error).
     */
    async request(url: string, { method, headers, body }: Asking): Promise<Response> {
      const signal = AbortSignal.timeout(Math.min(longestMs, ISSUER_TIMEOUT_MS));
      try {
        const options = { redirects: [], ask: () => ({ method, headers, body }) };
        const answer = await follow(url, { ...options, first: checkedExcept(await issuerHosts()) }, signal);
        const { statusCode: status = 0, headers: fields } = answer;
        const text = String(await readStart(answer, MAX_ISSUER_BYTES));
        if (status < 200 || status >= 500) refuse('URL_UNREACHABLE');
        const type = fields['content-type'];
        return new Response(NO_BODY.includes(status) ? null : text, {
          status,
          headers: type === undefined ? {} : { 'Content-Type': type },
        });
      } catch (error) {
        return isRefusal(error) ? refuse(error.code) : refuse('URL_UNREACHABLE');
      }
    },
  };
}

/** Names that are never in the public DNS: single labels, and the special-use names of RFC 6761. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|lan|home\.arpa|test|example|invalid|onion)\.?$/;
const ONLY_PUBLIC = '只能发往公开网站的 http 或 https 地址';
const notPublic = (host: string) =>
  `通知送不到 ${host}：只能发往公开的网站，端口 80 或 443。要发给同一个网络里自己的程序，请在环境变量 WEBHOOK_PRIVATE_HOSTS 里写上 ${host}`;

const placeOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || (protocol === 'http:' ? 80 : 443)),
});

const NO_HOST = '找不到这个网站，请检查地址';
const TOO_SLOW = '对方网站太久没有回应';
const NO_ANSWER = '连不上对方网站';

/** Globally routed IPv6 (RFC 4291 §2.4); excludes mapped, translated and site-local addresses. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Ranges registered as unicast but not public; the library does not know them. */
const RESERVED = [
  ipaddr.parseCIDR('3fff::/20'), // documentation, RFC 9637
  ipaddr.parseCIDR('168.63.129.16/32'), // Azure's internal platform address
];

/**
 * Returns whether `address` (an IP address as text) is on the public internet: not private, loopback,
 * link-local, multicast, reserved, or an alternative notation of an IPv4 address. SECURITY.md 16.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  if (ip instanceof ipaddr.IPv6 && (ip.zoneId || !ip.match(GLOBAL_UNICAST))) return false;
  const isReserved = RESERVED.some(([range, bits]) => range.kind() === ip.kind() && ip.match(range, bits));
  return ip.range() === 'unicast' && !isReserved;
}

const isWeb = (address: string, port: number) => WEB_PORTS.includes(port) && isPublicAddress(address);

/** Refuses with URL_REFUSED a URL that is not http or https, or contains credentials. */
function webUrl(text: string, base?: URL): URL {
  const url = text.length > MAX_URL_CHARACTERS ? null : URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuse('URL_REFUSED');
  return url;
}

/** Uses c-ares: the system resolver would block a thread of the pool until the name server responds. */
async function resolveName(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

interface Asking {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Requests `url` at one of `addresses`, without another DNS lookup. */
function open(
  url: URL,
  addresses: readonly string[],
  { method, headers, body }: Asking,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'http:' ? requestHttp : requestHttps;
    // No agent: a reused connection would bypass the checks.
    const options = { method, agent: false, lookup, signal, headers: { ...HEADERS, ...headers } };
    const sent = request(url, options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Some sites reject clients that do not look like a browser. `identity` rules out decompression bombs. */
const HEADERS = {
  'Accept-Encoding': 'identity',
  'User-Agent': 'Mozilla/5.0 (compatible; Moye)',
};

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
