import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';

/**
 * A process for synced-file-killed.test.ts that puts a file and is killed once its transaction number
 * `killAfter` is committed; it exits with 0 if there are fewer.
 */
const work = JSON.parse(process.argv[2] ?? '') as {
  author: Viewer;
  path: string;
  text: string;
  killAfter: number;
};
const { db, services } = await createApp(readConfig());
const write = db.write;
let commits = 0;
db.write = async (inTransaction) => {
  const result = await write(inTransaction);
  if (++commits === work.killAfter) process.kill(process.pid, 'SIGKILL');
  return result;
};
await services.sync.put(work.author, {
  path: work.path,
  bytes: Buffer.from(work.text),
  isVault: false,
  keepsMissing: false,
  plain: null,
  isDryRun: false,
  mayUpload: true,
  saved_by: '',
});
process.exit(0);
