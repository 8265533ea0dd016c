import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRoot, projectNode } from '../../tools/project.mjs';
import { launchBrowser } from './browser.ts';

/** `npm run dev`: the same pages, as whoever changes them sees them. */
let folder: string;
let server: ChildProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-dev-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const astro = inRoot('node_modules', 'astro', 'bin', 'astro.mjs');
  server = spawn(projectNode(), [astro, 'dev'], {
    cwd: inRoot(),
    // Not what the test runner has put into its own environment, which Vite would heed.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: folder,
      PORT: String(port),
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (server.exitCode === null) {
    const gone = once(server, 'exit');
    server.kill('SIGTERM');
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
}

test('pages have their look, and islands hydrate', { timeout: 240_000 }, async () => {
  await expect
    .poll(
      () =>
        fetch(`${url}/signin`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  const page = await browser.newPage({ locale: 'zh-CN' });
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await page.goto(`${url}/signin`, { waitUntil: 'commit', timeout: 60_000 });
  // The island's own button: what the server prints shows none.
  await page.getByRole('button', { name: '显示' }).waitFor({ timeout: 60_000 });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(ground, { timeout: 30_000 }).not.toBe('rgba(0, 0, 0, 0)');
  expect(refusals).toEqual([]);
});
