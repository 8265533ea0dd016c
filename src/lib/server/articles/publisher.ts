import type { Events } from '../db/events.ts';
import { createJob } from '../jobs.ts';
import type { Log } from '../log.ts';
import type { ScheduleService } from './schedule-service.ts';

/** Finds what another process was told of and did not live to publish. */
const LONGEST_PAUSE_MS = 30_000;
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
  let stopListening = () => {};

  async function publish(signal: AbortSignal): Promise<number> {
    const published = await schedules.publishDue(() => signal.aborted);
    if (published > 0) log.info({ published }, 'scheduled articles published');
    const wait = ((await schedules.nextTime()) ?? Infinity) - now();
    if (wait > 0) return Math.min(wait, LONGEST_PAUSE_MS);
    return published > 0 ? 0 : RETRY_MS;
  }
  const job = createJob(publish, {
    everyMs: LONGEST_PAUSE_MS,
    retryMs: RETRY_MS,
    failed: (error) => log.error({ err: error }, 'scheduled publication failed'),
  });

  return {
    /** Publishes what was due while nobody was here, and then whatever comes due. */
    start(): void {
      stopListening = events.listen(({ type }) => {
        if (type === 'schedule-changed' || type === 'anything') job.wake();
      });
      job.start();
    },
    /** Waits for the publication under way. */
    async stop(): Promise<void> {
      stopListening();
      await job.stop();
    },
  };
}
