import { Client } from 'pg';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { openServer, type TestServer } from './server.ts';

/** Two servers, A and B, on one PostgreSQL database. */
export interface Nodes {
  a: TestServer;
  b: TestServer;
  storage: TestStorage;
  /** Terminates the database connection on which B listens for notifications. */
  cutListener(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens two servers.
 * @param options `database`: an existing database, by default a new one; `settings`: environment of both;
 * `through`: maps the database URL for B, for example to a proxy
 */
export async function openNodes(
  options: { settings?: Record<string, string>; through?: (url: string) => string } = {},
): Promise<Nodes> {
  const storage = await createStorage('');
  const { DATABASE_URL: url = '' } = storage.settings;
  const { settings, through = (direct) => direct } = options;
  const open = (address: string) =>
    openServer({ ...settings, ...storage.settings, DATABASE_URL: address, TOKEN_SECRET });
  const a = await open(url);
  const [ofA] = await listenersOn(url);
  const b = await open(through(url));
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

/** Whether `server` has received all notifications of writes by other servers. */
export const isCurrent = ({ app }: TestServer): boolean => app.db.notices?.isCurrent() ?? true;

async function listenersOn(url: string): Promise<number[]> {
  const rows = await ask(
    url,
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and (query like '%pg_listening_channels%' or query like 'notify moye_acks%')`,
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
