/**
 * Limit in milliseconds for what a page or a server shows after a while: `expect.poll`, and Playwright's
 * locators, navigations and assertions. It ends waits for what never comes; a busy machine takes long.
 */
export const WAIT_MS = 90_000;
