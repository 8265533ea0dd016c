import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

/** A PostgreSQL server of its own, gone with whoever started it. */
export interface TestPostgres {
  /** Of a superuser, for the database `postgres`. */
  url: string;
  /** Ends every session and stops the server. */
  stop(): Promise<void>;
  /** Starts it again, with the same data at the same address. */
  start(): Promise<void>;
  /** Starts a server that follows this one, as `standby`; returns its address. */
  follow(): Promise<string>;
  /** Ends the server with SIGKILL; its standby keeps running. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts a PostgreSQL server with nothing in it on a free port.
 * @param settings of the server, such as `fsync=on`, besides those of all tests
 */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const child = spawn(process.execPath, [SERVER, '0', ...settings], { stdio: ['pipe', 'pipe', 'inherit'] });
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
    async end() {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}
