import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { bracketed } from './config/config-fields.ts';
import { readConfig } from './config/config.ts';
import { publishGuides } from './guides/guides.ts';
import { openableOrigin } from './http/local-request.ts';
import { flushLog } from './shared/log.ts';
import type { App } from './services.ts';
import { startServer } from './start.ts';
import { prepareAnswers } from './wiring/prepare-answers.ts';
import { exitCodeOf, explainStart } from './wiring/start-error.ts';

/** Runs the server. Exits with 0 on SIGTERM or SIGINT, with a clear line and 1 or 78 on failure. */
const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

// Restores Node's default: Astro's adapter has a listener that would keep a broken process running.
process.on('unhandledRejection', (error) => {
  throw error;
});

let isStopping = false;
try {
  const config = readConfig();
  const app = await createApp(config);
  const closing = [() => app.close()];
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // The process may be killed before the stop completes.
    void flushLog(app.log);
    for (const close of closing) await close();
    await flushLog(app.log);
    process.exit(0);
  };
  // Registered before listening: a supervisor may stop a server as soon as it listens.
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());

  await publishGuides(app);
  await prepareAnswers(app.services);
  const running = await startServer(app, dist);
  closing.unshift(() => running.stop(config.stopLingerMs));
  app.startJobs();
  const url = openableOrigin(`http://${bracketed(config.host)}:${running.port}`);
  process.stdout.write(`墨页 is listening on ${url}\n`);
  // A failure must not stop the server.
  await offerOperatorLink(app, url).catch((error: unknown) =>
    app.log.warn({ err: error }, 'creating the operator link failed'),
  );
} catch (error) {
  // A start interrupted by a stop fails because parts are already closed.
  if (!isStopping) fail(error);
}

/**
 * Prints the link as the last lines of the start: the log is written before it.
 * @param url address on which the server listens, which the site has if the system chose the port
 */
async function offerOperatorLink({ config, services, log }: App, url: string): Promise<void> {
  if (!(await services.roles.isWithoutOperator())) return;
  // The secret is in the fragment, which browsers do not send and no log contains.
  const origin = new URL(config.origin).port === '0' ? url : openableOrigin(config.origin);
  const link = `${origin}/setup#${await services.roles.newLink()}`;
  await flushLog(log);
  process.stdout.write(
    `还没有站长。24 小时内打开这个链接，成为站长；只能用一次。 / No operator yet. Open this link within 24 hours to become the operator; it works once.\n${link}\n`,
  );
}

function fail(error: unknown): never {
  process.stderr.write(`moye: ${explainStart(error)}\n`);
  process.exit(exitCodeOf(error));
}
