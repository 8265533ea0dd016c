import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openPostgres } from '../../src/lib/server/db/postgres/postgres.ts';
import { tidy } from '../../src/lib/server/search/postgres/tidy.ts';

/**
 * A process that builds and merges segments of the search index until it is killed. Prints a line before each
 * of its transactions, and when there is nothing to do, and continues with the next line of its input.
 */
const input = createInterface(process.stdin);
async function pauseAt(step: 'write' | 'idle'): Promise<void> {
  const next = once(input, 'line');
  writeSync(1, `${step}\n`);
  await next;
}
const url = new URL(process.argv[2] ?? '');
url.searchParams.set('application_name', 'moye-tidier');
const quiet = { info: () => {}, warn: () => {} };
const db = await openPostgres(url.href, { connections: 3, log: quiet });
const announced = {
  ...db,
  async write<T>(work: Parameters<typeof db.write<T>>[0]): Promise<T> {
    await pauseAt('write');
    return db.write(work);
  },
};
for (;;) {
  await tidy(announced, { tail: 12, fanIn: 2 });
  await pauseAt('idle');
}
