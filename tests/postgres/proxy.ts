import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between servers and their database: slow, silent, cut off, or leading somewhere else. */
export interface Proxy extends AsyncDisposable {
  /** The address of `url` through this network. Its upstream becomes the server of `url`. */
  through(url: string): string;
  /** Sends later connections to the server of `url`, or refuses them (null), and ends those that are open. */
  switchTo(url: string | null): void;
  /** Delays each packet in either direction; those under way keep theirs, and the order stays. */
  delay(milliseconds: number): void;
  /** Ends all open connections; later ones are well. Returns how many there were. */
  cut(): number;
  /** Lets open connections hang: nothing arrives any more, and neither side is told. Later ones are well. */
  silence(which?: 'all' | 'listener'): number;
  /** How often a client has waited for an answer so far, over all connections. */
  roundTrips(): number;
  close(): Promise<void>;
}

interface Line {
  front: Socket;
  back: Socket;
  /** A server listens for notices on it (postgres-listener.ts). */
  isListener: boolean;
  isSilent: boolean;
  /** The client has asked since the last answer. */
  isAsking: boolean;
}

/** Opens a network on a free port of this machine; it delays nothing until it is told to. */
export async function openProxy(): Promise<Proxy> {
  const lines = new Set<Line>();
  let upstream: URL | null = null;
  let delayMs = 0;
  let roundTrips = 0;

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

  /** Writes to `to` what it is given, late and in order; null ends it. */
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
  // A client that has said all still wants its answer.
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
    roundTrips: () => roundTrips,
    close,
    [Symbol.asyncDispose]: close,
  };
}
