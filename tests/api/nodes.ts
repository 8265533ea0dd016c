import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Client } from 'pg';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { openServer, type TestServer } from './server.ts';

/** Two servers, A and B, on one PostgreSQL database. */
export interface Nodes {
  a: TestServer;
  b: TestServer;
  storage: TestStorage;
  /** Ends the connection that B listens on. */
  cutListener(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens two servers.
 * @param options `database` is where, a fresh one unless given; `settings` of both; `through` is how B
 * reaches the database
 */
export async function openNodes(
  options: { settings?: Record<string, string>; through?: (url: string) => Promise<string> } = {},
): Promise<Nodes> {
  const storage = await createStorage('');
  const { DATABASE_URL: url = '' } = storage.settings;
  const { settings, through = async (direct) => direct } = options;
  const open = (address: string) =>
    openServer({ ...settings, ...storage.settings, DATABASE_URL: address, TOKEN_SECRET });
  const a = await open(url);
  const [ofA] = await listenersOn(url);
  const b = await open(await through(url));
  return {
    a,
    b,
    storage,
    async cutListener() {
      for (const pid of await listenersOn(url))
        if (pid !== ofA) await ask(url, `select pg_terminate_backend(${pid})`);
    },
    async close() {
      await a.close();
      await b.close();
      await storage.remove();
    },
  };
}

/** Whether `server` has heard of everything that other servers have written. */
export const isCurrent = ({ app }: TestServer): boolean => app.db.notices?.isCurrent() ?? true;

async function listenersOn(url: string): Promise<number[]> {
  const rows = await ask(
    url,
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and query like '%pg_listening_channels%'`,
  );
  return rows.map(({ pid }) => Number(pid));
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * A network between a server and its database, which can fall silent: nothing arrives any more, and nobody is
 * told.
 */
export async function openNetwork() {
  const lines: { front: Socket; back: Socket; isListener: boolean }[] = [];
  let target = new URL('postgres://invalid');
  const server = createServer((front) => {
    const back = connect(Number(target.port), target.hostname);
    const line = { front, back, isListener: false };
    lines.push(line);
    front.on('data', (bytes: Buffer) => (line.isListener ||= bytes.includes('listen moye')));
    for (const [one, other] of [
      [front, back],
      [back, front],
    ] as const) {
      one.pipe(other);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** The address that leads to `url` through this network. */
    async through(url: string): Promise<string> {
      target = new URL(url);
      const { port } = server.address() as AddressInfo;
      return Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href;
    },
    /** Lets the connection that is listened on hang, as it is now; later ones are well. */
    silenceListener(): number {
      const silent = lines.filter(({ isListener, front }) => isListener && !front.destroyed);
      for (const { front, back } of silent) {
        front.unpipe(back).resume();
        back.unpipe(front).resume();
      }
      return silent.length;
    },
    close(): void {
      server.close();
      for (const { front } of lines) front.destroy();
    },
  };
}
