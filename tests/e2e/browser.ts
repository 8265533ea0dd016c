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
 * Starts the Chromium that `npm test` found or installed (order: CHROMIUM_PATH, Playwright's own, PATH).
 * @returns a browser; the caller closes it. Refuses when there is none: `npm test` gets one.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser(process.env);
  if (!executablePath) throw new Error('No Chromium found. `npm test` gets one.');
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...sandbox, ...quiet] });
}
