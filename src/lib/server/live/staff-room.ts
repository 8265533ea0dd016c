import type { StaffCounts } from '../../contract/staff-counts.ts';
import type { BlogEvent } from '../db/events.ts';
import { createJob } from '../jobs.ts';
import type { WaitingService } from '../staff/waiting-service.ts';

interface Parts {
  waiting: Pick<WaitingService, 'countsFor'>;
  /** Ids of users whose sockets listen. */
  listening(): string[];
  /** Tells all of a user's sockets that listen. */
  say(userId: string, counts: StaffCounts): void;
  /** Has a user's sockets listen no longer. */
  dismiss(userId: string): void;
  failed(error: unknown): void;
}

/** Events after which something else may wait. */
const CHANGES: readonly BlogEvent['type'][] = ['held-changed', 'reports-changed', 'anything'];

/**
 * Tells staff what waits, when it changes. Who may know it is asked each time: whoever is no staff any more
 * hears nothing from then on.
 */
export function createStaffRoom({ waiting, listening, say, dismiss, failed }: Parts) {
  async function tellAll(): Promise<void> {
    const ids = listening();
    if (ids.length === 0) return;
    const counts = await waiting.countsFor(ids);
    for (const id of ids) {
      const known = counts.get(id);
      if (known) say(id, known);
      else dismiss(id);
    }
  }
  const job = createJob(tellAll, { everyMs: Infinity, failed });
  job.start();

  return {
    /** Whoever has joined is told; many changes at once are told once. */
    tell: job.wake,
    follow({ type }: BlogEvent): void {
      if (CHANGES.includes(type)) job.wake();
    },
  };
}
