import { createJob } from '../../jobs/jobs.ts';
import type { Uses } from '../../services.ts';

/** Finds schedules of a process that died before it published them. */
const MAX_INTERVAL_MS = 30_000;
const RETRY_DELAY_MS = 5_000;

/** Publishes articles at their scheduled times. Runs in every process; the first one publishes. */
export function createPublisher({ schedules, events, log, now }: Uses<'schedules'>) {
  let stopListening = () => {};

  async function publish(signal: AbortSignal): Promise<number> {
    const published = await schedules.publishDue(() => signal.aborted);
    if (published > 0) log.info({ published }, 'scheduled articles published');
    const wait = ((await schedules.nextTime()) ?? Infinity) - now();
    if (wait > 0) return Math.min(wait, MAX_INTERVAL_MS);
    return published > 0 ? 0 : RETRY_DELAY_MS;
  }
  const job = createJob(publish, {
    everyMs: MAX_INTERVAL_MS,
    retryMs: RETRY_DELAY_MS,
    failed: (error) => log.error({ err: error }, 'scheduled publication failed'),
  });

  return {
    start(): void {
      stopListening = events.listen(({ type }) => {
        if (type === 'schedule-changed' || type === 'anything') job.wake();
      });
      job.start();
    },
    async stop(): Promise<void> {
      stopListening();
      await job.stop();
    },
  };
}
