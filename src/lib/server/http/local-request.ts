import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Config } from '../config/config.ts';

const FORWARDED =
  /^(?:forwarded|via|cdn-loop|x-forwarded.*|x-original-.*|x-envoy-.*|x-(?:real|client|cluster-client|true-client)-ip|(?:true|fastly|fly)-client-ip|cf-.*)$/;
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/i;

/** Whether a server on `hostname` listens on every address of the machine: no address to open. */
export const isAnyAddress = (hostname: string): boolean => /^(?:0\.0\.0\.0|\[?::\]?)$/.test(hostname);

/** Returns `origin`, with an address of this machine that its network can open instead of all addresses. */
export function openableOrigin(origin: string, interfaces = networkInterfaces()): string {
  const url = new URL(origin);
  if (!isAnyAddress(url.hostname)) return origin;
  const own = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  url.hostname = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  return url.origin;
}

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOST.test(hostname);

/**
 * Creates the access check for process metrics: allows the bearer of METRICS_TOKEN and, while SITE_URL is
 * local, programs on this machine. On a public site, a proxy that adds no headers looks like a local program.
 */
export function watcherCheck({
  origin,
  metricsToken,
}: Pick<Config, 'origin' | 'metricsToken'>): (request: IncomingMessage) => boolean {
  const isSiteLocal = isLoopbackHost(new URL(origin).hostname);
  const expected = metricsToken === null ? null : digest(`Bearer ${metricsToken}`);
  return (request) => {
    const { authorization } = request.headers;
    if (expected && authorization !== undefined && timingSafeEqual(digest(authorization), expected))
      return true;
    return isSiteLocal && isLocal(request);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether a local program requests a local name directly. nginx proxies with HTTP/1.0 by default. */
const isLocal = ({ socket, headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' &&
  LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
  isLocalHost(headers.host) &&
  !Object.keys(headers).some((name) => FORWARDED.test(name));

function isLocalHost(host: string | undefined): boolean {
  const url = host === undefined ? null : URL.parse(`http://${host}`);
  return url !== null && isLoopbackHost(url.hostname);
}
