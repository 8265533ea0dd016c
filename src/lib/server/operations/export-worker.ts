import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { exportAuthor, type ExportedSite } from './export.ts';
import type { ExportFailure } from '../export/export-thread.ts';
import { openSpool } from '../export/spool.ts';

export interface ExportWork {
  site: ExportedSite;
  authorId: string;
  writable: WritableStream<Uint8Array>;
}

// Serves readers first. On Linux this sets the priority of the calling thread only, see setpriority(2);
// elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const { site, authorId, writable } = workerData as ExportWork;
try {
  const { signal } = new AbortController();
  const spool = await openSpool(join(site.dataDir, `export-${randomUUID()}.part`), writable);
  await exportAuthor(site, authorId, spool.writable, {
    signal,
    onProgress: () => {},
    // Rows are read at disk speed, whatever the download speed; pictures only as fast as they are downloaded.
    onRead: async () => spool.release(),
  });
  await spool.done;
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  parentPort?.postMessage({ name, message, code } satisfies ExportFailure);
}
