import { expect } from 'vitest';
import { test as base } from '../e2e/fixtures.ts';
import { makeToken } from '../unit/client/fake-site.ts';
import { article, comment, idOf, openFakeApi } from '../unit/edge/fake-api.ts';
import { freePort } from '../free-port.ts';
import { knowsMissingCalls, openFront } from './front.ts';

const test = base
  .extend('api', { scope: 'file' }, async ({}, { onCleanup }) => {
    const api = await openFakeApi();
    onCleanup(() => api[Symbol.asyncDispose]());
    api.articles = [article(1)];
    api.comments = [comment(1)];
    return api;
  })
  .extend('front', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const front = await openFront('node', await freePort(), { API_ORIGIN: api.origin });
    onCleanup(() => front.close());
    await knowsMissingCalls(front);
    return front;
  });

test('features that another server lacks are not offered to the author either', async ({
  browser,
  front,
}) => {
  const context = await browser.newContext({ baseURL: front.url });
  const cookies = {
    user: encodeURIComponent('林间'),
    token: makeToken('林间'),
    refreshToken: makeToken(undefined),
  };
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: front.url })));
  const page = await context.newPage();
  await page.goto(`/detail/${idOf(1)}#UI-comments`);
  // The author's own buttons appear together with these.
  await page.getByRole('link', { name: '编辑《第 1 篇》' }).waitFor();
  await page.getByRole('button', { name: /回复/ }).first().waitFor();
  expect(await page.getByRole('button', { name: /删除/ }).count()).toBe(0);
  // Neither does it show fields that the API would drop.
  await page.goto('/write');
  await page.getByPlaceholder('标题', { exact: true }).waitFor();
  expect(await page.getByText('摘要与封面').count()).toBe(0);
  await context.close();
});
