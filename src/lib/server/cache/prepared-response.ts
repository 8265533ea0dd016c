import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Sends a prepared response, head and body, bypassing node:http. This is the only file that uses fields which
 * Node does not document; on-headers and compression use the same. node:http composes and checks 17 headers
 * for each response and writes them separately from the body (docs/decisions/0010).
 */

type Composed = { _header: string; _headerSent: boolean };

/**
 * Writes the bytes that `prepare` returns, from the status line to the end of the body, to the response's
 * socket and ends the response.
 * @returns `all` when the system has taken the bytes, `part` when the socket still holds them, and null, with
 * nothing prepared, when the connection is not kept alive, is still busy with an earlier response, or is
 * about to be closed
 */
export type SendPrepared = (
  request: IncomingMessage,
  response: ServerResponse,
  prepare: () => Buffer,
) => 'all' | 'part' | null;

const sendPrepared: SendPrepared = ({ httpVersion }, response, prepare) => {
  // No socket: responses to earlier pipelined requests are still being sent.
  const { socket } = response;
  if (!response.shouldKeepAlive || httpVersion !== '1.1' || !socket?.writable) return null;
  // The server sets this header and closes the connection when it stops.
  if (response.hasHeader('Connection')) return null;
  const composed = response as unknown as Composed;
  composed._header = '-';
  composed._headerSent = true;
  // One buffer: as two, they take 2 to 3 µs more.
  socket.write(prepare());
  const sent = socket.writableLength === 0 ? 'all' : 'part';
  response.end();
  return sent;
};

/** Fallback for Node versions with other internals: node:http composes the response. */
const sendNothing: SendPrepared = () => null;

/**
 * Returns how this Node version sends prepared responses, tested with a dummy response before the first
 * request.
 * @param Response the class of responses
 */
export function choosePreparedSender(Response: typeof ServerResponse = ServerResponse): SendPrepared {
  const written: string[] = [];
  const socket = new Socket();
  socket.write = (part: string | Uint8Array) => written.push(String(part)) > 0;
  try {
    const request = new IncomingMessage(socket);
    Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
    const response = new Response(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = true;
    const isSent =
      '_header' in response &&
      '_headerSent' in response &&
      sendPrepared(request, response, () => Buffer.from('whole')) !== null;
    return isSent && response.writableEnded && written.join() === 'whole' ? sendPrepared : sendNothing;
  } catch {
    return sendNothing;
  } finally {
    socket.destroy();
  }
}
