import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RECONNECT } from '../src/lib/client/live.ts';

/** Sockets per source address, below the server's limit of connections per address. */
const PER_ADDRESS = 200;

/** A live socket that speaks just enough of Socket.IO: thousands of them fit into one process. */
export interface RawSocket {
  /** Called with the name and the data of each event. */
  onEvent: (name: string, data: unknown) => void;
  /** Resolves once the server has closed the connection. */
  closed: Promise<unknown>;
  emit(name: string, data: unknown): void;
  close(): void;
}

/** Connects the `index`-th socket; resolves when the server has accepted it. */
export async function connectRaw(url: string, token: string, index: number): Promise<RawSocket> {
  const address = `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&token=${token}`;
  const group = Math.floor(index / PER_ADDRESS);
  const socket = new WebSocket(address, {
    localAddress: `127.0.${1 + Math.floor(group / 200)}.${1 + (group % 200)}`,
    perMessageDeflate: false,
  });
  let accept: () => void = () => {};
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  const raw: RawSocket = {
    onEvent: () => {},
    closed: new Promise((resolve) => socket.once('close', resolve)),
    emit: (name, data) => socket.send(`42${JSON.stringify([name, data])}`),
    close: () => socket.terminate(),
  };
  socket.on('error', () => socket.terminate());
  // https://socket.io/docs/v4/engine-io-protocol and /socket-io-protocol
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    if (text.startsWith('0')) socket.send('40');
    else if (text === '2') socket.send('3');
    else if (text.startsWith('40')) accept();
    else if (text.startsWith('42')) {
      const [name, value] = JSON.parse(text.slice(2)) as [string, unknown];
      raw.onEvent(name, value);
    }
  });
  await Promise.race([
    accepted,
    raw.closed.then(() => {
      throw new Error('the live socket was refused');
    }),
  ]);
  return raw;
}

/** Connects again as the site's pages do: after random pauses, until it succeeds. */
export async function reconnectRaw(url: string, token: string, index: number): Promise<RawSocket> {
  for (let pause = RECONNECT.reconnectionDelay; ; pause *= 2) {
    await delay(Math.random() * 2 * Math.min(pause, RECONNECT.reconnectionDelayMax));
    const socket = await connectRaw(url, token, index).catch(() => null);
    if (socket) return socket;
  }
}
