import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { makeToken } from '../unit/client/fake-site.ts';
import { article, comment, idOf, openFakeApi, type FakeApi } from '../unit/edge/fake-api.ts';
import { freePort, knowsMissingCalls, openFront, type Front } from './front.ts';

let api: FakeApi;
let front: Front;
let browser: Browser;
beforeAll(async () => {
  api = await openFakeApi();
  api.articles = [article(1)];
  api.comments = [comment(1)];
  front = await openFront('node', await freePort(), { API_ORIGIN: api.origin });
  await knowsMissingCalls(front, 'articleDelete commentDelete');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await front?.close();
  await api?.[Symbol.asyncDispose]();
});

test('what a server of another make does not know is not offered to the author either', async () => {
  const context = await browser.newContext({ baseURL: front.url });
  const cookies = {
    user: encodeURIComponent('林间'),
    token: makeToken('林间'),
    refreshToken: makeToken(undefined),
  };
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: front.url })));
  const page = await context.newPage();
  await page.goto(`/detail/${idOf(1)}#UI-comments`);
  // The author's own buttons are there when these are.
  await page.getByRole('link', { name: '编辑《第 1 篇》' }).waitFor();
  await page.getByRole('button', { name: /回复/ }).first().waitFor();
  expect(await page.getByRole('button', { name: /删除/ }).count()).toBe(0);
  // Nor what it would drop.
  await page.goto('/write');
  await page.getByPlaceholder('标题', { exact: true }).waitFor();
  expect(await page.getByText('摘要与封面').count()).toBe(0);
  await context.close();
});
