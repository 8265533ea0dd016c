import type { Events } from '../db/events.ts';
import type { Log } from '../log.ts';
import type { ScheduleService } from './schedule-service.ts';

/** The longest sleep: what another process was told of and did not live to publish is found after it. */
const LONGEST_MS = 30_000;
/** What was due and could not be published is tried again. */
const RETRY_MS = 5_000;

interface Parts {
  schedules: Pick<ScheduleService, 'publishDue' | 'nextTime'>;
  events: Events;
  log: Log;
  now: () => number;
}

/** Publishes at the times that authors have set, on every process; whichever is first does it. */
export function createPublisher({ schedules, events, log, now }: Parts) {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopListening = () => {};

  async function round(): Promise<void> {
    if (isStopping) return;
    clearTimeout(timer);
    let delay = RETRY_MS;
    try {
      const published = await schedules.publishDue(() => isStopping);
      if (published > 0) log.info({ published }, 'scheduled articles published');
      const wait = ((await schedules.nextTime()) ?? Infinity) - now();
      if (wait > 0) delay = Math.min(wait, LONGEST_MS);
      else if (published > 0) delay = 0;
    } catch (error) {
      log.error({ err: error }, 'scheduled publication failed');
    }
    if (!isStopping) timer = setTimeout(wake, delay).unref();
  }
  const wake = () => void (running = running.then(round));

  return {
    /** Publishes what was due while nobody was here, and then whatever comes due. */
    start(): void {
      stopListening = events.listen(({ type }) => {
        if (type === 'schedule-changed' || type === 'anything') wake();
      });
      wake();
    },
    /** Waits for the publication under way. */
    async stop(): Promise<void> {
      isStopping = true;
      stopListening();
      clearTimeout(timer);
      await running;
    },
  };
}
