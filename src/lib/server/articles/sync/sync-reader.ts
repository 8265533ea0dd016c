import { refusal, refuse } from '../../../contract/rules/errors.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';
import { createReusedThread } from '../../jobs/reused-thread.ts';
import type { ReadFile } from './read-synced-file.ts';
import type { SyncReply, SyncRequest } from './sync-worker.ts';

const SCRIPT = new URL('./sync-worker.ts', import.meta.url);
const LOAD_TIMEOUT_MS = 30_000;
/** Processor time; the longest real files take a tenth of a second. */
const READ_TIMEOUT_MS = 4_000;
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
const QUEUE = { waiting: 64, waitingEach: 16 };

export type SyncReader = ReturnType<typeof createSyncReader>;

/** Reads files of authors' folders in a thread with a time limit; authors take turns. */
export function createSyncReader({ script = SCRIPT, timeoutMs = READ_TIMEOUT_MS } = {}) {
  const { ask, close } = createReusedThread<SyncRequest, SyncReply>(script, {
    idleMs: MINUTE_MS,
    queue: QUEUE,
    startMs: LOAD_TIMEOUT_MS,
    answerMs: timeoutMs,
    resourceLimits: HEAP,
    timedOut: () => refusal('CONTENT_TOO_COMPLEX'),
  });
  return {
    /**
     * Reads a file (`readSyncedFile`). Refuses with FIELD_INVALID a file that cannot become an article, with
     * CONTENT_TOO_COMPLEX past a limit of time or memory, with UNAVAILABLE when the queue is full.
     */
    async read(request: SyncRequest, owner: string): Promise<ReadFile> {
      const reply = await ask(request, owner).catch((error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? refusal('CONTENT_TOO_COMPLEX') : error;
      });
      if ('file' in reply) return reply.file;
      if (reply.problem === null) return refuse('CONTENT_TOO_COMPLEX');
      return refuse('FIELD_INVALID', { text: reply.problem });
    },
    close,
  };
}
