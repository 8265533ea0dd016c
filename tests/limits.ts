/**
 * Limit in milliseconds for a test or a hook of the suites that start servers; series of trials add to it. It
 * ends what hangs; a busy machine takes ten times as long as a quiet one.
 */
export const TEST_MS = 240_000;

/**
 * Limit in milliseconds for what a page or a server shows after a while: `expect.poll`, `vi.waitFor`, and
 * Playwright's locators, navigations and assertions in a visit.
 */
export const WAIT_MS = 90_000;
