import { expect } from '@playwright/test';

/** Assertions about pages that wait as long as Playwright's locators do, also on a busy machine. */
export const expectPage = expect.configure({ timeout: 30_000 });
