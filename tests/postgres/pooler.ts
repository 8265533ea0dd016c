import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A connection pooler in front of PostgreSQL; like PgBouncer, it drops all startup parameters. */
export interface Pooler extends AsyncDisposable {
  url: string;
}

/** A server session that is used by one client at a time. */
interface Session {
  socket: Socket;
  /** Receives each complete message of the server. */
  heard: (message: Buffer) => void;
}

const READY = 'Z';
const ENDS = new Set(['Q', 'S']);
const IDLE = 'I'.charCodeAt(0);

/**
 * Starts a pooler for the server at `url`, which must accept connections without a password.
 * @param mode when another client may get a session: after its client has disconnected, or after each
 * transaction
 */
export async function startPooler(url: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(url);
  const idle: Session[] = [];
  const sockets = new Set<Socket>();

  async function openSession(): Promise<Session> {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    const session: Session = { socket, heard: () => {} };
    const isReady = new Promise<void>((resolve) => {
      session.heard = (message) => void (message.toString('latin1', 0, 1) === READY && resolve());
    });
    socket.on(
      'data',
      splitter((message) => session.heard(message)),
    );
    socket.write(startup(username, pathname.slice(1)));
    await isReady;
    return session;
  }

  async function serve(client: Socket): Promise<void> {
    let session: Session | undefined;
    let unanswered = 0;
    const release = (): void => {
      // Resets the session for the next client, like PgBouncer's DISCARD ALL.
      if (mode === 'session') session?.socket.destroy();
      else if (session) idle.push(session);
      session = undefined;
    };
    const forward = (message: Buffer): void => {
      const type = message.toString('latin1', 0, 1);
      if (type === 'X') return void client.end();
      if (ENDS.has(type)) unanswered++;
      session?.socket.write(message);
    };
    let turn = Promise.resolve();
    client.once('data', () => {
      client.write(WELCOME);
      client.on(
        'data',
        splitter((message) => {
          turn = turn.then(async () => {
            if (!session) {
              session = idle.pop() ?? (await openSession());
              session.heard = (answer) => {
                client.write(answer);
                if (answer.toString('latin1', 0, 1) !== READY) return;
                unanswered--;
                if (mode === 'transaction' && unanswered === 0 && answer[5] === IDLE) release();
              };
            }
            forward(message);
          });
        }),
      );
    });
    client.on('error', () => {}).once('close', release);
  }

  const server = createServer((client) => {
    sockets.add(client);
    void serve(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls `take` with each complete message of a stream: a type byte, a length and a body. */
function splitter(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1;
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}

function startup(user: string, database: string): Buffer {
  const text = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + text.length, 0);
  head.writeUInt32BE(0x30000, 4);
  return Buffer.concat([head, text]);
}

/** AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, IDLE]);
