import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { NewerDatabaseError } from './db/migrate.ts';
import { StorageUnusableError } from './db/sqlite.ts';
import { publishGuides } from './guides.ts';
import { startServer } from './start.ts';

/** The server process: `npm start` ends here. Exits 0 on SIGTERM or SIGINT, 1 with one clear line when it cannot start. */
const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

try {
  const config = readConfig();
  const app = await createApp(config);
  await publishGuides(app);
  const running = await startServer(app, dist);
  app.startUpkeep();
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  process.stdout.write(`墨页 is listening on http://${host}:${running.port}\n`);

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await running.stop();
    await app.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
} catch (error) {
  process.stderr.write(`moye: ${explain(error)}\n`);
  process.exit(1);
}

/** One line for what an operator can mend; the whole story for the rest. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `cannot listen: ${error.message} (another program has the port; set PORT)`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `cannot listen: ${error.message} (set HOST and PORT)`;
  const isClear = [ConfigError, StorageUnusableError, NewerDatabaseError].some(
    (kind) => error instanceof kind,
  );
  return isClear ? error.message : (error.stack ?? error.message);
}
