import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';
import { backUp, type BackupJob } from './backup.ts';

lowerPriority();

answerRequests(async (job: BackupJob, { signal }) => {
  const { time, bytes } = await backUp(job, { signal, onProgress: () => {} });
  return { time, bytes };
});
