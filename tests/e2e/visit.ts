import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { WAIT_MS } from '../limits.ts';
import type { Site } from './site.ts';

/** A browser context, and the problems that its pages logged. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Opens another tab of the same browser. */
  tab(): Promise<Page>;
  /** Ignores matching problems that the test provokes, such as a failed request or a refused socket. */
  forgive(pattern: RegExp): void;
  /** Closes the browser; fails when a page logged an error or a warning, or threw. */
  end(): Promise<void>;
}

/** Viewports of the three layouts. */
export const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 900, height: 1100 },
  desktop: { width: 1440, height: 900 },
};

/**
 * Chromium's message about a page that is left while its socket is still connecting; any fast test may cause
 * it.
 */
const LEFT_EARLY =
  /^WebSocket connection to .* failed: WebSocket is closed before the connection is established\.$/;

/** Playwright's options; `username` is signed in first (create the account with `site.join`). */
export type VisitOptions = BrowserContextOptions & { username?: string | undefined };

/** Opens a browser window on `site`. Tests use the fixture `visit`, which also closes it. */
export async function openVisit(
  browser: Browser,
  site: Site,
  { username, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: sizes.desktop,
    locale: 'zh-CN',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  const forgiven = [LEFT_EARLY];
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  };
  context.on('page', watch);
  if (username !== undefined) await context.addCookies(await signInCookies(site, username));
  return {
    context,
    page: await context.newPage(),
    tab: () => context.newPage(),
    forgive: (pattern) => void forgiven.push(pattern),
    async end() {
      await context.close();
      expect(complaints.filter((text) => !forgiven.some((pattern) => pattern.test(text)))).toEqual([]);
    },
  };
}

/** Cookies of a browser after `username` has signed in. */
export async function signInCookies(site: Site, username: string) {
  const body = new URLSearchParams({ username, password: 'correct horse' });
  const response = await fetch(`${site.url}/api/signin`, { method: 'POST', body });
  const { code, data } = (await response.json()) as {
    code: string;
    data: { token: string; refresh_token: string };
  };
  if (code !== 'OK') throw new Error(`${username} cannot sign in: ${JSON.stringify(data)}`);
  const cookies = { user: encodeURIComponent(username), token: data.token, refreshToken: data.refresh_token };
  return Object.entries(cookies).map(([name, value]) => ({
    name,
    value,
    url: site.url,
    sameSite: 'Lax' as const,
  }));
}

/**
 * Resolves when `page`, with a signed-in reader, has received the unread count over its next socket. Start to
 * wait before the socket opens.
 */
export async function connected(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('unread-comment'));
}
