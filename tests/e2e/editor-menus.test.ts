import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { openInputMethod } from './composition.ts';
import { test } from './desk.ts';
import { sizes } from './visit.ts';

const menuOf = (page: Page) => page.getByRole('listbox', { name: '可以插入的' });

describe('find and replace on a phone', () => {
  test.override('window', { viewport: sizes.phone, hasTouch: true, isMobile: true });

  test('is in the menu, shows which match is selected, and replaces', async ({ page, desk }) => {
    await desk.open();
    await desk.write(`墨页里写字，墨页里读书。\n\n${'一行\n\n'.repeat(60)}另有墨页。`);
    // The panel is in the text, also when the preview is shown.
    await page.getByRole('tab', { name: '预览' }).tap();
    await desk.button('更多').tap();
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Markdown 写法' }).waitFor();
    expect(await menu.locator('kbd').count()).toBe(0);
    await menu.getByRole('menuitem', { name: '查找和替换' }).tap();
    const panel = page.getByRole('search', { name: '查找和替换' });
    await panel.getByRole('textbox', { name: '查找' }).waitFor();
    await page.keyboard.insertText('墨页');
    const count = panel.getByRole('status');
    await expect.poll(() => count.innerText()).toMatch(/^(3 处|\d\/3)$/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => count.innerText()).toMatch(/^\d\/3$/);
    const first = await count.innerText();
    await panel.getByRole('button', { name: '下一个' }).tap();
    await expect.poll(() => count.innerText()).not.toBe(first);
    // Reachable wherever the match is.
    for (const button of await panel.getByRole('button').all()) await button.tap({ trial: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.phone.width);
    expect(await violationsOf(page, { include: '.find' })).toEqual([]);
    await panel.getByRole('textbox', { name: '替换为' }).fill('纸');
    await panel.getByRole('button', { name: '全部替换' }).tap();
    await expect.poll(() => count.innerText()).toBe('没有找到');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    // Only lines near the screen are in the page.
    await page.keyboard.press('Control+Home');
    await expect.poll(desk.source).toContain('纸里写字，纸里读书。');
  });
});

describe('the menu of blocks', () => {
  test('opens at a slash, filters, inserts in one step; Escape keeps the slash', async ({ page, desk }) => {
    await desk.open();
    await desk.write('前\n\n');
    await page.keyboard.type('/');
    await menuOf(page).waitFor();
    expect(await desk.text.getAttribute('aria-activedescendant')).not.toBeNull();
    const violations = await violationsOf(page, {
      include: '.cm-editor',
      // CodeMirror's list has aria-expanded, and is operated from the text field.
      rules: { 'aria-allowed-attr': { enabled: false }, 'scrollable-region-focusable': { enabled: false } },
    });
    expect(violations).toEqual([]);
    await page.keyboard.type('bg');
    await expect.poll(() => menuOf(page).getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await menuOf(page).waitFor({ state: 'detached' });
    expect(await desk.source()).toContain('前\n\n| 列一 |');
    await desk.button('撤销').click();
    expect(await desk.source()).toBe('前\n\n/bg');

    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('/');
    await menuOf(page).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('bt');
    expect(await menuOf(page).count()).toBe(0);
    expect(await desk.source()).toBe('/bt');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('/');
    await menuOf(page).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('节');
    expect(await desk.source()).toBe('### 节');
  });

  test('waits for the input method, and finds its text', async ({ page, desk }) => {
    await desk.open();
    await desk.text.click();
    const method = await openInputMethod(page);
    await method.compose('/');
    await method.compose('/b');
    expect(await menuOf(page).count()).toBe(0);
    await method.commit('、');
    await menuOf(page).waitFor();
    await method.compose('yin');
    await menuOf(page).waitFor({ state: 'detached' });
    await method.commit('引用');
    await menuOf(page).getByRole('option', { name: '引用' }).waitFor();
    await menuOf(page).getByRole('option', { name: '引用' }).click();
    await page.keyboard.insertText('话');
    expect(await desk.source()).toBe('> 话');
  });
});

describe('emoji', () => {
  test('are inserted by colon and name, never during composition; times stay unchanged', async ({
    page,
    desk,
  }) => {
    await desk.open();
    await desk.text.click();
    await page.keyboard.type('10:30 :smile');
    await menuOf(page).getByRole('option', { name: '😄' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await desk.source()).toBe('10:30 😄');
    const method = await openInputMethod(page);
    await method.commit('结论：');
    await method.compose('xiao');
    await method.commit('笑');
    await page.keyboard.press('Enter');
    expect(await desk.source()).toBe('10:30 😄结论：笑\n');
    await method.commit('：');
    await method.compose('xiao');
    expect(await menuOf(page).count()).toBe(0);
    await method.commit('大笑');
    await menuOf(page).getByRole('option', { name: '😄' }).click();
    expect(await desk.source()).toBe('10:30 😄结论：笑\n😄');
  });

  test('are picked from a searchable list, which shows recent ones', async ({ page, desk }) => {
    await desk.open();
    await desk.write('好');
    const search = page.getByRole('combobox', { name: '搜索表情' });
    const open = async () => {
      await desk.button('更多').click();
      await page.getByRole('menuitem', { name: '表情' }).click();
    };
    await open();
    await search.fill('红心');
    await page.getByRole('option', { name: '红心' }).first().click();
    await expect.poll(desk.source).toBe('好❤️');
    await open();
    await page.getByRole('option').first().filter({ hasText: '最近' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(desk.source).toBe('好❤️❤️');
  });
});
