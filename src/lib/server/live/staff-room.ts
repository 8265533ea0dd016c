import type { StaffCounts } from '../../contract/staff-counts.ts';
import type { BlogEvent } from '../db/events.ts';
import { createJob } from '../jobs/jobs.ts';
import type { WaitingService } from '../staff/waiting-service.ts';

interface Parts {
  waiting: Pick<WaitingService, 'countsFor'>;
  listening(): string[];
  send(userId: string, counts: StaffCounts): void;
  dismiss(userId: string): void;
  failed(error: unknown): void;
}

const CHANGES: readonly BlogEvent['type'][] = ['held-changed', 'reports-changed', 'anything'];

/**
 * Sends staff the counts of pending items when they change. Permission is checked each time, so former staff
 * stop receiving them.
 */
export function createStaffRoom({ waiting, listening, send, dismiss, failed }: Parts) {
  async function sendAll(): Promise<void> {
    const ids = listening();
    if (ids.length === 0) return;
    const counts = await waiting.countsFor(ids);
    for (const id of ids) {
      const known = counts.get(id);
      if (known) send(id, known);
      else dismiss(id);
    }
  }
  const job = createJob(sendAll, { everyMs: Infinity, failed });
  job.start();

  return {
    /** Sends the counts to all listeners; concurrent calls are merged. */
    update: job.wake,
    follow({ type }: BlogEvent): void {
      if (CHANGES.includes(type)) job.wake();
    },
  };
}
