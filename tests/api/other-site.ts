import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutside, type Outside } from '../../src/lib/server/outside/outside.ts';

/** Another site on this machine, reachable under any name that ends in `.test` or `.com`. */
export interface OtherSite {
  /** HTTP client that reaches this site, and nothing else on this machine. */
  outside: Outside;
  /** Requests it has received, in order. */
  asked: IncomingMessage[];
  urlOf(host: string, path: string): string;
  close(): void;
}

/** Starts a site that responds with `answer`. */
export async function openOtherSite(answer: RequestListener): Promise<OtherSite> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    outside: createOutside({
      resolve: async (host) => (host.endsWith('.test') || host.endsWith('.com') ? ['127.0.0.1'] : []),
      mayConnect: (address, to) => address === '127.0.0.1' && to === port,
    }),
    asked,
    urlOf: (host, path) => `http://${host}:${port}${path}`,
    close: () => void server.close(),
  };
}
