import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serveProduct } from './processes.ts';
import { startRestartLoad } from './restart-load.ts';
import type { Row } from './stats.ts';

const RESTARTS = 200;
const CONNECTIONS = 60;
/** Responses to wait for before the signal, so the load is under way. */
const WARM_ANSWERS = 2 * CONNECTIONS;

/** Section `restarts`: how many requests are lost when the server is told to stop under load. */
export async function benchRestarts(data: string): Promise<Row[]> {
  const folder = join(data, 'restarts');
  let answered = 0;
  const lost: number[] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    const server = await serveProduct(folder);
    const load = startRestartLoad(server.url, CONNECTIONS);
    while (load.answered() < WARM_ANSWERS) await delay(5);
    load.signalled();
    await server.stop();
    const tally = await load.ended;
    answered += tally.answered;
    lost.push(tally.lost);
  }
  return [
    {
      what: 'unanswered requests sent before SIGTERM',
      ratio: lost.reduce((sum, each) => sum + each, 0),
      spread: [Math.min(...lost), Math.max(...lost)],
      goal: { atMost: 0 },
      unit: 'requests',
      note: `${RESTARTS} restarts under ${CONNECTIONS} connections, ${answered} requests answered; spread by restart`,
    },
  ];
}
