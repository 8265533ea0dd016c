import { createJob } from '../jobs/jobs.ts';

/** Users whose unread items one query counts. */
const USER_BATCH_SIZE = 500;

interface Parts<Socket> {
  /** Returns the counts of `ids`; a missing one is 0. */
  countUnread(ids: readonly string[]): Promise<Map<string, number>>;
  /** Sends a count to `sockets`, or to all sockets of the user if null. */
  send(userId: string, sockets: readonly Socket[] | null, count: number): void;
  failed(error: unknown): void;
}

/**
 * Counts unread comments or notifications for many users with one query and sends the counts. Requests that
 * arrive meanwhile are merged and counted next, so the last count that a user receives is the newest.
 */
export function createUnreadCounts<Socket>({ countUnread, send, failed }: Parts<Socket>) {
  const waiting = new Map<string, Socket[] | null>();

  async function sendBatch(): Promise<void> {
    const batch = [...waiting].slice(0, USER_BATCH_SIZE);
    for (const [id] of batch) waiting.delete(id);
    const counts = await countUnread(batch.map(([id]) => id));
    for (const [id, sockets] of batch) send(id, sockets, counts.get(id) ?? 0);
  }
  const job = createJob(
    async () => {
      while (waiting.size > 0) await sendBatch().catch(failed);
    },
    { everyMs: Infinity, failed },
  );
  job.start();

  return {
    /** Sends the count to one socket that has joined its user's others, or to all of them. */
    ask(userId: string, socket?: Socket): void {
      const sockets = waiting.get(userId);
      if (!socket) waiting.set(userId, null);
      else if (sockets) sockets.push(socket);
      else if (sockets === undefined) waiting.set(userId, [socket]);
      job.wake();
    },
  };
}
