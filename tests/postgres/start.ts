import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

/** A separate PostgreSQL server, which ends together with the process that started it. */
export interface TestPostgres {
  /** URL of a superuser, for the database `postgres`. */
  url: string;
  /** Terminates all sessions and stops the server. */
  stop(): Promise<void>;
  /** Starts the server again with the same data and URL. */
  start(): Promise<void>;
  /** Starts a standby of this server, named `standby`; returns its URL. */
  follow(): Promise<string>;
  /** Kills the server with SIGKILL; its standby keeps running. */
  kill(): Promise<void>;
  killStandby(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a free port, empty unless `folder` contains data of an earlier one.
 * @param settings of the server, such as `fsync=on`, in addition to those of all tests
 * @param folder for data that stays when the server ends
 */
export async function startPostgres(
  settings: readonly string[] = [],
  folder?: string,
): Promise<TestPostgres> {
  const data = folder === undefined ? [] : [`--data=${folder}`];
  const child = spawn(process.execPath, [SERVER, ...data, '0', ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the PostgreSQL server of the tests has ended');
    return value;
  };
  const tell = (word: string): Promise<string> => {
    child.stdin.write(`${word}\n`);
    return nextLine();
  };
  return {
    url: await nextLine(),
    stop: async () => void (await tell('stop')),
    start: async () => void (await tell('start')),
    follow: () => tell('standby'),
    kill: async () => void (await tell('kill')),
    killStandby: async () => void (await tell('kill standby')),
    async end() {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
