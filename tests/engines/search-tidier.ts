import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { tidy } from '../../src/lib/server/search/postgres/tidy.ts';

/**
 * A process that builds and merges segments of the search index until it is killed. Prints a line before each
 * of its transactions, and while there is nothing to do. Its pauses make kills between two transactions as
 * likely as kills during one.
 */
const PAUSE_MS = 3;
const url = new URL(process.argv[2] ?? '');
url.searchParams.set('application_name', 'moye-tidier');
const quiet = { info: () => {}, warn: () => {} };
const db = await openPostgres(url.href, { connections: 3, log: quiet });
const announced = {
  ...db,
  async write<T>(work: Parameters<typeof db.write<T>>[0]): Promise<T> {
    writeSync(1, 'write\n');
    await sleep(PAUSE_MS);
    return db.write(work);
  },
};
for (;;) {
  await tidy(announced, { tail: 12, fanIn: 2 });
  writeSync(1, 'idle\n');
  await sleep(PAUSE_MS);
}
