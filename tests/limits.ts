/**
 * Limit in milliseconds for a test or a hook of the suites that start servers; a test that repeats trials
 * adds time for each. It ends a test that hangs; a slow machine needs ten times the usual time.
 */
export const TEST_MS = 240_000;

/**
 * Limit in milliseconds for what a page or a server shows after a while: `expect.poll`, `vi.waitFor`, and
 * Playwright's locators, navigations and assertions in a visit.
 */
export const WAIT_MS = 90_000;
