import { expect } from '@playwright/test';
import { WAIT_MS } from '../limits.ts';

/** Assertions about pages. */
export const expectPage = expect.configure({ timeout: WAIT_MS });
