import { fileURLToPath } from 'node:url';
import type { BrowserContext, JSHandle, Page } from '@playwright/test';
import { decodeJwt } from 'jose';
import { build, type Rolldown } from 'vite';
import { createTokens } from '../../src/lib/server/auth/tokens.ts';
import type { Site } from './site.ts';
import type * as Stores from './stores-entry.ts';

const PATH = '/stores-under-test.js';

/**
 * Lets pages of `context` import the shipped stores. They share the cookies, locks and channels of the stores
 * that the islands use.
 */
export async function offerStores(context: BrowserContext): Promise<void> {
  const body = await (bundle ??= bundleStores());
  await context.route(`**${PATH}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
}

/** Handle of the stores in a page; `evaluate` runs a function with them in the page. */
export async function storesIn(page: Page): Promise<JSHandle<typeof Stores>> {
  // As a string, because the test runner would transform this import.
  return page.evaluateHandle<typeof Stores>(`import('${PATH}')`);
}

let bundle: Promise<string> | undefined;
async function bundleStores(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('stores-entry.ts', import.meta.url)), formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[];
  const [output] = [built].flat();
  return output?.output[0].code ?? '';
}

/** Replaces the browser's token by an expired one of the same sign-in; returns it. */
export async function expireToken(site: Site, context: BrowserContext): Promise<string> {
  const cookies = await context.cookies(site.url);
  const { sub = '', sid, name } = decodeJwt(cookies.find(({ name }) => name === 'token')?.value ?? '');
  const { tokenSecret, accessTokenTtl } = site.app.config;
  const past = createTokens({
    secret: tokenSecret,
    accessTtl: accessTokenTtl,
    refreshTtl: 1,
    now: () => Date.now() - 2000 * accessTokenTtl,
  });
  const token = await past.signAccess({ userId: sub, signinId: String(sid), username: String(name) });
  await context.addCookies([{ name: 'token', value: token, url: site.url, sameSite: 'Lax' }]);
  return token;
}

/** Ends the browser's sign-in on the server, as a password change does. */
export async function endSignIn(site: Site, context: BrowserContext): Promise<void> {
  const token = (await context.cookies(site.url)).find(({ name }) => name === 'token')?.value ?? '';
  await site.app.services.auth.signout({ signinId: String(decodeJwt(token)['sid']) });
}
