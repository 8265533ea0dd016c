import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSpool } from '../export/spool.ts';
import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';
import { exportAuthor, type ExportedSite } from './export.ts';

export interface ExportWork {
  site: ExportedSite;
  authorId: string;
  writable: WritableStream<Uint8Array>;
}

lowerPriority();

answerRequests(async ({ site, authorId, writable }: ExportWork, { signal }) => {
  const spool = await openSpool(join(site.dataDir, `export-${randomUUID()}.part`), writable);
  await exportAuthor(site, authorId, spool.writable, {
    signal,
    onProgress: () => {},
    // Rows are read at disk speed, whatever the download speed; pictures only as fast as they are downloaded.
    onRead: async () => spool.release(),
  });
  await spool.done;
});
