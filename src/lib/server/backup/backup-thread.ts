import { Worker } from 'node:worker_threads';
import { BackupError } from './format.ts';

export type BackupReply =
  { type: 'done'; time: number; bytes: number } | { type: 'failed'; name: string; message: string };

/**
 * Runs a job (backup.ts) in a worker thread, to keep the main thread responsive. Aborting `signal` removes
 * the unfinished archive.
 * @throws the error that ended the job
 */
export async function backUpInThread(
  job: object,
  signal: AbortSignal,
  script = new URL('../operations/backup-worker.ts', import.meta.url),
): Promise<{ time: number; bytes: number }> {
  signal.throwIfAborted();
  const worker = new Worker(script, { workerData: job, execArgv: [] });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the backup thread ended')));
      worker.once('message', (reply: BackupReply) => {
        if (reply.type === 'done') return resolve({ time: reply.time, bytes: reply.bytes });
        const error = new BackupError(reply.message);
        error.name = reply.name;
        reject(error);
      });
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
