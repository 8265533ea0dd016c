import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { openInputMethod } from './composition.ts';
import { test } from './desk.ts';

const menuOf = (page: Page) => page.getByRole('listbox', { name: '可以插入的' });

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
