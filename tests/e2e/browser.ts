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

/**
 * The Chromium that `npm test` found or installed; `isWhole` as in `findBrowser`. Refuses when there is none:
 * `npm test` gets one.
 */
export async function findExecutable(options: { isWhole?: boolean } = {}): Promise<string> {
  const executablePath = await findBrowser(process.env, options);
  if (!executablePath) throw new Error('No Chromium found. `npm test` gets one.');
  return executablePath;
}

/** How tests start Chromium. */
export function browserArguments(): string[] {
  // Chromium's sandbox refuses to run as root.
  return [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...quiet];
}

/**
 * Starts the Chromium that `npm test` found or installed (order: see `findBrowser`).
 * @param options `isReaders`: as a reader's is, with lazy pictures and a back/forward cache, which Playwright
 * leaves out by default
 * @returns a browser; the caller closes it. Refuses when there is none: `npm test` gets one.
 */
export async function launchBrowser({ isReaders = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await findExecutable({ isWhole: isReaders }),
    args: browserArguments(),
    ...(isReaders ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
  });
}
