import { connect, type Socket } from 'node:net';

interface Tally {
  answered: number;
  /** Requests that were sent completely before the signal and got no complete response. */
  lost: number;
}

export interface RestartLoad {
  answered(): number;
  signalled(): void;
  /** Resolves when no client can reach the server any longer. */
  ended: Promise<Tally>;
}

const CALL = 'page=1&pageSize=10';
/** A cached page, and a call that keeps the server busy while other clients connect. */
const REQUESTS = [
  'GET /home HTTP/1.1\r\nHost: a\r\n\r\n',
  `POST /api/page/pagelist HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`,
];
/** Requests per connection: some clients open a connection for each request, others reuse theirs. */
const STAYS = [1, 1, 20];

/**
 * Sends requests to `url` on `connections` parallel connections until the server accepts no more. A request
 * counts as sent once the local kernel has accepted all of it. That happens as soon as the server's kernel
 * has accepted the connection, possibly before the server process has.
 */
export function startRestartLoad(url: string, connections: number): RestartLoad {
  const { hostname, port } = new URL(url);
  const tally: Tally = { answered: 0, lost: 0 };
  let signalledAt = Number.POSITIVE_INFINITY;

  async function client(index: number): Promise<void> {
    const request = REQUESTS[index % REQUESTS.length] as string;
    const stay = STAYS[index % STAYS.length] as number;
    while (true) {
      // An error after the response loses nothing.
      const wire = connect({ host: hostname, port: Number(port) }).on('error', () => {});
      let sentAt = Number.POSITIVE_INFINITY;
      try {
        for (let sent = 0, isOpen = true; isOpen && sent < stay; sent++) {
          sentAt = Number.POSITIVE_INFINITY;
          const answer = nextAnswer(wire);
          wire.write(request, () => (sentAt = performance.now()));
          isOpen = await answer;
          tally.answered++;
        }
      } catch {
        if (sentAt < signalledAt) tally.lost++;
        if (signalledAt < Number.POSITIVE_INFINITY) return;
      } finally {
        wire.destroy();
      }
    }
  }
  const clients = Array.from({ length: connections }, (_, index) => client(index));
  return {
    answered: () => tally.answered,
    signalled: () => void (signalledAt = performance.now()),
    ended: Promise.all(clients).then(() => tally),
  };
}

/**
 * Resolves when a response is complete, to whether the connection stays open; rejects when the connection
 * ends earlier.
 */
function nextAnswer(wire: Socket): Promise<boolean> {
  let text = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = /\r\nContent-Length: (\d+)/i.exec(text)?.[1];
      if (end < 0 || text.length < end + 4 + Number(length)) return;
      settle(() => resolve(!/\r\nConnection: close/i.test(text.slice(0, end + 2))));
    };
    const fail = (error?: Error) => settle(() => reject(error ?? new Error('closed')));
    const settle = (done: () => void): void => {
      wire.off('data', read).off('error', fail).off('end', fail).off('close', fail);
      done();
    };
    wire.on('data', read).on('error', fail).on('end', fail).on('close', fail);
  });
}
