import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getHeapSpaceStatistics } from 'node:v8';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config.ts';
import { publishGuides } from '../../src/lib/server/guides.ts';
import { startServer } from '../../src/lib/server/start.ts';

/**
 * Prints how many bytes of an article's page, rendered without the page cache, young collections leave behind. A script for
 * `node --expose-gc`, with the server's environment.
 */
declare const gc: (options: { type: 'minor' | 'major' }) => void;

const ROUNDS = 20;
const PAGES = 80;
const dist = fileURLToPath(new URL('../../dist', import.meta.url));

const app = await createApp(readConfig());
await publishGuides(app);
const running = await startServer(app, dist);
const { render } = (await import(pathToFileURL(`${dist}/server/entry.mjs`).href)) as {
  render(request: Request, locals: { backend: unknown }, address: string): Promise<Response>;
};
const { result } = await app.services.articles.list({ of: 'public' }, { page: 1, pageSize: 1 });

async function renderPage(): Promise<void> {
  const request = new Request(`${app.config.origin}/detail/${result[0]?.id}`);
  const response = await render(request, { backend: app.backend }, '');
  if (response.status !== 200) throw new Error(`${response.status}`);
}
async function renderPages(): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    await renderPage();
    await turn();
  }
  gc({ type: 'minor' });
}
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter((space) => /^(old|large_object)_space$/.test(space.space_name))
    .reduce((sum, space) => sum + space.space_used_size, 0);

// Until everything is loaded and compiled that will be.
for (let round = 0; round < 5 * ROUNDS; round++) await renderPages();
gc({ type: 'major' });
const before = oldBytes();
for (let round = 0; round < ROUNDS; round++) await renderPages();
process.stdout.write(`${Math.round((oldBytes() - before) / (ROUNDS * PAGES))}\n`);
await running.stop();
await app.close();
