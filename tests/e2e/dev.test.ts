import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { inRoot, projectNode } from '../../tools/project.mjs';
import { temporaryFolder } from '../api/spawn.ts';
import { freePort } from '../free-port.ts';
import { test as base } from './fixtures.ts';

/** `npm run dev`: the same pages in development. */
const test = base.extend('url', { scope: 'file' }, async ({}, { onCleanup }) => {
  const folder = await temporaryFolder();
  const port = await freePort();
  const astro = inRoot('node_modules', 'astro', 'bin', 'astro.mjs');
  const server = spawn(projectNode(), [astro, 'dev'], {
    cwd: inRoot(),
    // A clean environment: Vite would heed the variables that the test runner has set.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: folder.path,
      PORT: String(port),
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  const gone = once(server, 'exit');
  onCleanup(async () => {
    server.kill('SIGTERM');
    await gone;
    await folder[Symbol.asyncDispose]();
  });
  return `http://127.0.0.1:${port}`;
});

test('pages are styled, and islands hydrate', async ({ browser, url }) => {
  await expect
    .poll(() =>
      fetch(`${url}/signin`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const page = await browser.newPage({ locale: 'zh-CN' });
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await page.goto(`${url}/signin`, { waitUntil: 'commit' });
  // A button of the island, which the server does not render.
  await page.getByRole('button', { name: '显示' }).waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(ground).not.toBe('rgba(0, 0, 0, 0)');
  expect(refusals).toEqual([]);
});
