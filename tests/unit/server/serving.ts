import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { createConnections, type Connections } from '../../../src/lib/server/http/connections.ts';
import { createHttpServer, listen } from '../../../src/lib/server/http/http.ts';
import { MIB } from '../../../src/lib/contract/rules/units.ts';

type Bounds = Parameters<typeof createConnections>[0];
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that responds to every request with `answer`, until the test ends. */
export async function serve(answer: Answer, bounds: Partial<Bounds> = {}) {
  const connections: Connections = createConnections({ perAddress: 100, trustedHops: 0, ...bounds });
  const server = createHttpServer([connections.refuseBeyond, answer], { connections });
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => connections.stop(server));
  return { server, connections, port };
}

/** A client that reads nothing until told to; its connection ends with the test. */
export function open(port: number, bytes: string) {
  const chunks: Buffer[] = [];
  const client = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void client.destroy());
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  client.on('data', (chunk: Buffer) => chunks.push(chunk)).pause();
  client.write(bytes);
  return { client, closed, received: () => Buffer.concat(chunks).toString('latin1') };
}

export const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** Larger than the buffers of a connection; the system holds some megabytes. */
export const LARGE = Buffer.alloc(12 * MIB, 'a');

export const connectionsOf = (server: {
  getConnections(done: (error: Error | null, count: number) => void): unknown;
}) => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
