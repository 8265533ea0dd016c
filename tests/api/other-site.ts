import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutside, type Outside } from '../../src/lib/server/outside/outside.ts';

/** Another site on this machine, known by any name under `.test` and `.com`. */
export interface OtherSite {
  /** What leads there, and nowhere else on this machine. */
  outside: Outside;
  /** What it was asked, in order. */
  asked: IncomingMessage[];
  urlOf(host: string, path: string): string;
  close(): void;
}

/** Starts a site that answers as `answer` does. */
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
