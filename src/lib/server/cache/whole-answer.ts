import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Sends an answer, head and body, as it stands. The only file that relies on fields which Node does not
 * document; on-headers and compression rely on the same. node:http composes and checks 17 headers anew for
 * each answer and writes them apart from the body: 14.4 µs of processor time an answer against 9.3
 * (docs/decisions/0010).
 */

/** What node:http keeps of an answer's head. */
type Composed = { _header: string; _headerSent: boolean };

/**
 * Writes `parts`, from status line to the end of the body, to the answer's socket and ends the answer.
 * @returns false, with nothing written, where `response` is not on a connection that stays open or has
 * headers of its own
 */
export type SendWhole = (
  request: IncomingMessage,
  response: ServerResponse,
  parts: readonly (string | Buffer)[],
) => boolean;

const sendWhole: SendWhole = ({ httpVersion }, response, parts) => {
  // Without a socket it is not its turn yet: answers to requests before it are on their way.
  const { socket } = response;
  if (!response.shouldKeepAlive || httpVersion !== '1.1' || !socket?.writable) return false;
  // It says so, and closes the connection, when the server stops.
  if (response.hasHeader('Connection')) return false;
  const composed = response as unknown as Composed;
  composed._header = '-';
  composed._headerSent = true;
  socket.cork();
  for (const part of parts) socket.write(part, 'latin1');
  socket.uncork();
  response.end();
  return true;
};

/**
 * The same for a Node whose answers keep their head otherwise: everything goes out as node:http composes it.
 */
const sendNothing: SendWhole = () => false;

/**
 * How whole answers are sent by this Node: tried on an answer to nobody, before the first request.
 * @param Response the class of answers
 */
export function wholeAnswers(Response: typeof ServerResponse = ServerResponse): SendWhole {
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
      '_header' in response && '_headerSent' in response && sendWhole(request, response, ['head', 'body']);
    return isSent && response.writableEnded && written.join() === 'head,body' ? sendWhole : sendNothing;
  } catch {
    return sendNothing;
  } finally {
    socket.destroy();
  }
}
