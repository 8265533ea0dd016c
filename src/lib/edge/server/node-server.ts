import { fileURLToPath } from 'node:url';
import { handler } from '@astrojs/node/server.js';
import { edgeBackend } from 'virtual:edge';
import { createRequests } from '../../requests.ts';
import { ConfigError, EXIT_CONFIG, readListenConfig } from '../../server/config/config.ts';
import { createConnections } from '../../server/http/connections.ts';
import { bracketed } from '../../server/config/config-fields.ts';
import type { HttpHandler } from '../../server/http/http-handler.ts';
import { answerRequests, compress, createHttpServer, listen, staticFiles } from '../../server/http/http.ts';
import { openableOrigin } from '../../server/http/local-request.ts';
import { refuseMalformed } from '../../server/http/refusal-answers.ts';

/**
 * Runs the edge front as a Node server from one folder: `node dist-edge/node/server/entry.mjs`. Headers,
 * files, limits and shutdown are the same as in the full product. Exits 0 on SIGTERM or SIGINT; with one line
 * and 78 (a wrong setting) or 1 when it cannot start; crashes on an unhandled rejection, which the adapter
 * would only log.
 */
process.on('unhandledRejection', (error) => {
  throw error;
});

try {
  const { host, port, trustedHops, origin, connectionsPerAddress, stopLingerMs } = readListenConfig();
  const connections = createConnections({ perAddress: connectionsPerAddress, trustedHops });
  const health: HttpHandler = (request, response, next) => {
    if (request.url !== '/healthz') return next();
    if (connections.isStopping) response.writeHead(503).end('stopping\n');
    else response.end('ok\n');
  };
  const { fetch: calls } = createRequests(({ env: { address } }) => ({ backend: openBackend(), address }));
  const handlers = [
    refuseMalformed,
    connections.refuseBeyond,
    health,
    staticFiles(fileURLToPath(new URL('../client', import.meta.url))),
    compress(),
    answerRequests({
      calls,
      page: (request, response, next, address) => void handler(request, response, next, { address }),
      host: new URL(origin).host,
      trustedHops,
      failed: (error) => void process.stderr.write(`${describe(error)}\n`),
    }),
  ];
  const server = createHttpServer(handlers, { connections });
  const stop = async (): Promise<void> => {
    await connections.linger(stopLingerMs);
    await connections.stop(server);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  const actual = await listen(server, port, host);
  const url = openableOrigin(`http://${bracketed(host)}:${actual}`);
  process.stdout.write(`墨页 (edge front) is listening on ${url}\n`);
} catch (error) {
  const isSetting = error instanceof ConfigError;
  process.stderr.write(`moye: ${isSetting ? error.message : describe(error)}\n`);
  process.exit(isSetting ? EXIT_CONFIG : 1);
}

function openBackend() {
  if (!edgeBackend) throw new Error('this build has no edge backend');
  return edgeBackend();
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
