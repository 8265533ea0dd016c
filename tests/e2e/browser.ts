import { chromium, type Browser } from '@playwright/test';
import { findBrowser } from '../../tools/browser.mjs';

/** Chromium calls home and upgrades itself when left alone; none of that belongs into a test. */
const quiet = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The Chromium that `npm test` found or installed. Refuses when there is none: `npm test` gets one. */
export async function findExecutable(): Promise<string> {
  const executablePath = await findBrowser(process.env);
  if (!executablePath) throw new Error('No Chromium found. `npm test` gets one.');
  return executablePath;
}

/** How tests start Chromium. */
export function browserArguments(): string[] {
  // Chromium's sandbox refuses to run as root.
  return [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...quiet];
}

/**
 * Starts the Chromium that `npm test` found or installed (order: CHROMIUM_PATH, Playwright's own, PATH).
 * @param options `keepsPages` as a reader's does: Playwright's own default is a browser without a
 * back/forward cache
 * @returns a browser; the caller closes it. Refuses when there is none: `npm test` gets one.
 */
export async function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await findExecutable(),
    args: browserArguments(),
    ...(keepsPages ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
  });
}
