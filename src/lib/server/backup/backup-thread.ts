import { startThread } from '../jobs/thread.ts';

const SCRIPT = new URL('../operations/backup-worker.ts', import.meta.url);

/**
 * Runs a job (backup.ts) in a worker thread, to keep the main thread responsive. Aborting `signal` removes
 * the unfinished archive.
 * @throws the error that ended the job
 */
export async function backUpInThread(
  job: object,
  signal: AbortSignal,
): Promise<{ time: number; bytes: number }> {
  signal.throwIfAborted();
  const thread = startThread<object, { time: number; bytes: number }>(SCRIPT);
  signal.addEventListener('abort', thread.abort);
  try {
    return await thread.request(job);
  } finally {
    signal.removeEventListener('abort', thread.abort);
    await thread.stop();
  }
}
