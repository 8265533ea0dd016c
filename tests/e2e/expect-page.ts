import { expect } from '@playwright/test';

/** Assertions about pages, with the timeout of Playwright's locators instead of 5 s. */
export const expectPage = expect.configure({ timeout: 30_000 });
