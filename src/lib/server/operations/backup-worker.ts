import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { backUp, type BackupJob } from './backup.ts';
import type { BackupReply } from '../backup/backup-thread.ts';

// Serves readers first. On Linux this sets the priority of the calling thread only, see setpriority(2);
// elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
const reply = (message: BackupReply): void => parentPort?.postMessage(message);

try {
  const { signal } = stopping;
  const { time, bytes } = await backUp(workerData as BackupJob, { signal, onProgress: () => {} });
  reply({ type: 'done', time, bytes });
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  reply({ type: 'failed', name, message });
}
