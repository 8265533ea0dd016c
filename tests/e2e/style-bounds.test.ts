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

/** Selectors of the operator's own sheet, as the browser reads them, whose subjects may be outside `main`. */
const strays = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const walk = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) found.push(...rule.selectorText.split(/,(?![^(]*\))/));
        else if (rule instanceof CSSGroupingRule) walk(rule.cssRules);
      }
    };
    const own = [...document.styleSheets].find(({ href }) => href?.includes('/style.css'));
    if (own) walk(own.cssRules);
    const isBound = (text: string) =>
      text.includes(':is(main *') || /^(?:body > main|main \.comment-wall)$/.test(text.trim());
    return { count: found.length, outside: found.filter((text) => !isBound(text)) };
  });

describe.each(['desktop', 'phone'] as const)('on a %s', (size) => {
  test(
    'no style sheet that is accepted hides how readers sign in, or asks another site',
    { timeout: 600_000 },
    async ({ visit, site, author }) => {
      const article = await site.write(author, { title: '山居秋暝' });
      const { page: visitor, context, forgive } = await visit({ viewport: sizes[size] });
      const { page: operator } = await visit({ viewport: sizes[size], username: AUTHOR });
      // Pictures that a sheet names need not exist.
      forgive(/404/);
      const elsewhere: string[] = [];
      context.on('request', (request) => {
        if (!request.url().startsWith(site.url)) elsewhere.push(request.url());
      });
      for (const style of ACCEPTED) {
        await site.app.services.site.change({ style }, author);
        for (const path of ['/home', `/detail/${article}`]) {
          await visitor.goto(path);
          const { count, outside } = await strays(visitor);
          const signIn = visitor.getByRole('banner').getByRole('link', { name: '登录' });
          expect([style, path, outside, count > 2, await isReachable(signIn)]).toEqual([
            style,
            path,
            [],
            true,
            true,
          ]);
        }
        await visitor.goto('/signin');
        const parts = [visitor.getByLabel('用户名'), visitor.getByLabel('密码', { exact: true })];
        for (const part of parts) expect([style, await isReachable(part)]).toEqual([style, true]);
        await operator.goto('/admin/look');
        const heading = operator.getByRole('heading', { level: 1, name: '外观' });
        expect([style, (await strays(operator)).count, await isReachable(heading)]).toEqual([style, 0, true]);
      }
      expect(elsewhere).toEqual([]);
      await site.app.services.site.change({ style: '' }, author);
    },
  );
});
