import type { Locator, Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { ACCEPTED } from '../style-sheets.ts';
import { test as base } from './console-stage.ts';
import { AUTHOR } from './fixtures.ts';
import { sizes } from './visit.ts';

/** `AUTHOR` is the operator. */
const test = base.extend('stage', { scope: 'file', auto: true }, ({ writer }) => writer);

/** Whether a press on the middle of the element would reach it. */
const isReachable = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    const { visibility, opacity } = getComputedStyle(node);
    return width > 20 && height > 15 && node.contains(hit) && visibility === 'visible' && opacity === '1';
  });

/**
 * Number of rules of the operator's own sheet as the browser reads them, and the selectors that match
 * anything outside the content of the page.
 */
const rulesOf = (page: Page) =>
  page.evaluate(() => {
    const selectors: string[] = [];
    const walk = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) selectors.push(rule.selectorText);
        else if (rule instanceof CSSGroupingRule) walk(rule.cssRules);
      }
    };
    const own = [...document.styleSheets].find(({ href }) => href?.includes('/style.css'));
    if (own) walk(own.cssRules);
    const isStray = (element: Element) => !element.parentElement?.closest('main');
    const outside = selectors.filter(
      (text) =>
        text !== 'body > main' &&
        [...document.querySelectorAll(text.replaceAll(/::[\w-]+/g, ''))].some(isStray),
    );
    return { count: selectors.length, outside };
  });

describe.each(['desktop', 'phone'] as const)('on a %s', (size) => {
  test(
    'no style sheet that is accepted hides how readers sign in, or asks another site',
    { timeout: 600_000 },
    async ({ visit, site, author }) => {
      await site.app.services.options.change({ holdArticles: 'none' }, null);
      const article = await site.write(author, { title: '山居秋暝' });
      const { page: visitor, context, forgive } = await visit({ viewport: sizes[size] });
      const { page: operator } = await visit({ viewport: sizes[size], username: AUTHOR });
      // Pictures that a sheet names need not exist.
      forgive(/404/);
      const elsewhere: string[] = [];
      context.on('request', (request) => {
        if (!request.url().startsWith(site.url)) elsewhere.push(request.url());
      });
      for (const [index, style] of ACCEPTED.entries()) {
        await site.app.services.site.change({ style }, author);
        await visitor.goto(index % 2 === 0 ? '/home' : `/detail/${article}`);
        const { count, outside } = await rulesOf(visitor);
        const signIn = visitor.getByRole('banner').getByRole('link', { name: '登录' });
        expect([style, outside, count > 2, await isReachable(signIn)]).toEqual([style, [], true, true]);
      }
      await visitor.goto('/signin');
      for (const part of [visitor.getByLabel('用户名'), visitor.getByLabel('密码', { exact: true })])
        expect(await isReachable(part)).toBe(true);
      await operator.goto('/admin/look');
      const heading = operator.getByRole('heading', { level: 1, name: '外观' });
      expect([(await rulesOf(operator)).count, await isReachable(heading)]).toEqual([0, true]);
      expect(elsewhere).toEqual([]);
      await site.app.services.site.change({ style: '' }, author);
    },
  );
});
