import { connect, type Socket } from 'node:net';

/** A connection on which a test writes arbitrary bytes. */
export interface Wire {
  socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received once the server has closed the connection. */
  closed: Promise<string>;
}

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString();
  const socket = connect(Number(port), hostname);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset also counts as closed.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text())));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { socket, received: text, closed };
}

/**
 * Sends one request unchanged and returns status and body; the request should ask the server to close the
 * connection.
 */
export async function sendExactly(
  url: string,
  request: string,
): Promise<{ status: number; head: string; body: string }> {
  const wire = await openWire(url);
  wire.socket.write(request);
  const text = await wire.closed;
  const [head = '', ...body] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body: body.join('\r\n\r\n') };
}
