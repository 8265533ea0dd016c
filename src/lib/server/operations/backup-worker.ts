import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';
import { backUp, type BackupJob } from './backup.ts';
import { checkBackup, type CheckJob } from './check-backup.ts';

lowerPriority();

answerRequests(async (job: BackupJob | CheckJob, { signal }) => {
  if ('from' in job) return checkBackup(job, signal);
  const { time, bytes } = await backUp(job, { signal, onProgress: () => {} });
  return { time, bytes };
});
