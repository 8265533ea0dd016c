import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { chromium, type Browser } from '@playwright/test';
import { browserArguments, findExecutable } from './browser.ts';

/** A browser with a profile on disk that can be killed like any process. */
export interface MortalBrowser {
  browser: Browser;
  /** Kills the browser (SIGKILL), so it writes nothing more. Further calls have no effect. */
  kill(): Promise<void>;
}

const LAUNCH_TIMEOUT_MS = 10_000;

/** Starts Chromium as a separate process with the profile in `folder`. */
export async function startMortalBrowser(folder: string): Promise<MortalBrowser> {
  const child = spawn(
    await findExecutable({ isWhole: true }),
    ['--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, ...browserArguments()],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error('Chromium ended before it listened')));
  });
  try {
    // A browser that is still starting sometimes does not respond to its first client.
    const browser = await chromium
      .connectOverCDP(address, { timeout: LAUNCH_TIMEOUT_MS })
      .catch(() => chromium.connectOverCDP(address));
    return { browser, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}
