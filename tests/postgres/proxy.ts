import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A simulated network between servers and their database: slow, silent, interrupted, or redirected to another
 * server.
 */
export interface Proxy extends AsyncDisposable {
  /** Returns `url` with the address of this network, and connects the network to the server of `url`. */
  through(url: string): string;
  /** Sends new connections to the server of `url`, or refuses them (null), and closes the open ones. */
  switchTo(url: string | null): void;
  /** Delays each packet in both directions and keeps their order; packets in transit keep their delay. */
  delay(milliseconds: number): void;
  /** Closes all open connections; new ones work. Returns the number of closed connections. */
  cut(): number;
  /**
   * Lets open connections hang: no more data arrives, and neither side is notified. New connections work.
   * Returns the number of silenced connections.
   */
  silence(which?: 'all' | 'listener'): number;
  /** Closes the connections that listen for notifications, and refuses them while `isRefused`. */
  refuseListeners(isRefused: boolean): void;
  /** Number of times that clients waited for a response, over all connections. */
  roundTrips(): number;
  close(): Promise<void>;
}

interface Line {
  front: Socket;
  back: Socket;
  /** Whether a server listens for notifications on it (postgres-listener.ts). */
  isListener: boolean;
  isSilent: boolean;
  /** Whether the client has sent data since the last response. */
  isAsking: boolean;
}

/** Opens a network on a free port of this machine, without delay at first. */
export async function openProxy(): Promise<Proxy> {
  const lines = new Set<Line>();
  let upstream: URL | null = null;
  let delayMs = 0;
  let roundTrips = 0;
  let refusesListeners = false;

  function open(front: Socket): void {
    if (!upstream) return void front.destroy();
    const [host, port] = [upstream.hostname, Number(upstream.port || 5432)];
    const back = connect({ host, port, allowHalfOpen: true });
    const line: Line = { front, back, isListener: false, isSilent: false, isAsking: false };
    lines.add(line);
    for (const socket of [front, back])
      socket
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => {
          front.destroy();
          back.destroy();
          lines.delete(line);
        });
    const [forward, backward] = [relay(back), relay(front)];
    front
      .on('end', () => forward(null))
      .on('data', (bytes: Buffer) => {
        line.isListener ||= bytes.includes('listen moye');
        if (line.isListener && refusesListeners) return end([line]);
        if (line.isSilent) return;
        if (!line.isAsking) roundTrips++;
        line.isAsking = true;
        forward(bytes);
      });
    back
      .on('end', () => backward(null))
      .on('data', (bytes: Buffer) => {
        if (line.isSilent) return;
        line.isAsking = false;
        backward(bytes);
      });
  }

  /** Returns a function that writes bytes to `to`, delayed and in order; null closes it. */
  function relay(to: Socket): (bytes: Buffer | null) => void {
    const late: { due: number; bytes: Buffer | null }[] = [];
    const write = (bytes: Buffer | null) => void (bytes ? to.write(bytes) : to.end());
    const pump = (): void => {
      while (late[0] && late[0].due <= performance.now()) write(late.shift()?.bytes ?? null);
      if (late[0]) setTimeout(pump, Math.max(1, late[0].due - performance.now()));
    };
    return (bytes) => {
      if (delayMs === 0 && late.length === 0) return write(bytes);
      late.push({ due: performance.now() + delayMs, bytes });
      if (late.length === 1) setTimeout(pump, delayMs);
    };
  }

  const end = (which: Iterable<Line>): void => {
    for (const { front, back } of which) {
      front.destroy();
      back.destroy();
    }
  };
  // A client that has closed its side of the connection still expects the response.
  const server = createServer({ allowHalfOpen: true }, open).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    end(lines);
    await new Promise((closed) => server.close(closed));
  };
  return {
    through(url) {
      upstream = new URL(url);
      return Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;
    },
    switchTo(url) {
      upstream = url === null ? null : new URL(url);
      end(lines);
    },
    delay: (milliseconds) => void (delayMs = milliseconds),
    cut() {
      const count = lines.size;
      end(lines);
      return count;
    },
    silence(which = 'all') {
      const chosen = [...lines].filter((line) => !line.isSilent && (which === 'all' || line.isListener));
      for (const line of chosen) line.isSilent = true;
      return chosen.length;
    },
    refuseListeners(isRefused) {
      refusesListeners = isRefused;
      if (isRefused) end([...lines].filter(({ isListener }) => isListener));
    },
    roundTrips: () => roundTrips,
    close,
    [Symbol.asyncDispose]: close,
  };
}
