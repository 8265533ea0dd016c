import { chromium, type Browser } from '@playwright/test';
import { findBrowser } from '../../tools/browser.mjs';

/** Prevents Chromium's background requests and updates during tests. */
const quiet = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Returns the Chromium that `npm test` found or installed; `isWhole` as in `findBrowser`. Throws if no
 * Chromium is found.
 */
export async function findExecutable(options: { isWhole?: boolean } = {}): Promise<string> {
  const executablePath = await findBrowser(process.env, options);
  if (!executablePath) throw new Error('No Chromium found. `npm test` gets one.');
  return executablePath;
}

/** Returns the arguments with which tests start Chromium. */
export function browserArguments(): string[] {
  // Chromium's sandbox refuses to run as root.
  return [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...quiet];
}

/** Browsers of this worker, by `isReaders`. */
const browsers = new Map<boolean, Promise<Browser>>();

/**
 * Returns a browser for the rest of the worker; Playwright ends it with the process.
 * @param options `isReaders`: behaves like a reader's browser, with lazy pictures and a back/forward cache,
 * which Playwright disables by default
 * @returns the Chromium that `npm test` found or installed (order: see `findBrowser`). Rejects if no Chromium
 * is found.
 */
export function sharedBrowser({ isReaders = false } = {}): Promise<Browser> {
  const browser = browsers.get(isReaders) ?? launch(isReaders);
  browsers.set(isReaders, browser);
  return browser;
}

const launch = async (isReaders: boolean): Promise<Browser> =>
  chromium.launch({
    executablePath: await findExecutable({ isWhole: isReaders }),
    args: browserArguments(),
    ...(isReaders ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
  });
