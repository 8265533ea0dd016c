import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { looks } from './looks.ts';
import { violationsOf } from './axe.ts';
import { openInputMethod } from './composition.ts';
import { test } from './desk.ts';
import { sizes } from './visit.ts';

const pickerOf = (page: Page) => page.getByRole('dialog', { name: '代码块的语言' });
const searchOf = (page: Page) => pickerOf(page).getByRole('combobox', { name: '搜索语言' });

describe('code blocks', () => {
  test(
    'start with a language and the caret inside; the picked one comes first next time',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.write('前');
      await desk.button('代码块').click();
      await searchOf(page).waitFor();
      await page.getByRole('option', { name: 'JavaScript' }).first().waitFor();
      await page.keyboard.type('数据库');
      await page.getByRole('option', { name: /^SQL/ }).waitFor();
      await page.keyboard.press('Enter');
      await pickerOf(page).waitFor({ state: 'detached' });
      await page.keyboard.insertText('select 1');
      expect((await desk.source()).trimEnd()).toBe('前\n\n```sql\nselect 1\n```');
      await desk.button('撤销').click();
      await desk.button('撤销').click();
      expect(await desk.source()).toBe('前');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await desk.button('代码块').click();
      await page.getByRole('option', { name: 'SQL 最近' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('select 2');
      expect((await desk.source()).trimEnd()).toBe('```sql\nselect 2\n```');
    },
  );

  test(
    'Escape changes nothing and leaves the caret where it was',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.write('前后');
      await page.keyboard.press('ArrowLeft');
      await desk.button('代码块').click();
      await searchOf(page).fill('py');
      await page.keyboard.press('Escape');
      await pickerOf(page).waitFor({ state: 'detached' });
      const hasFocus = () => desk.text.evaluate((element) => element === document.activeElement);
      await expect.poll(hasFocus).toBe(true);
      await page.keyboard.insertText('，');
      expect(await desk.source()).toBe('前，后');
    },
  );

  test('use the selection as their content, and change their language from inside', async ({
    page,
    desk,
  }) => {
    await desk.open();
    await desk.write('const a = 1;');
    await page.keyboard.press('Control+a');
    await desk.button('代码块').click();
    expect(await pickerOf(page).count()).toBe(0);
    expect(await desk.source()).toBe('```\nconst a = 1;\n```');
    for (const [query, source] of [
      ['ts', '```typescript\nconst a = 1;\n```'],
      ['不指定', '```\nconst a = 1;\n```'],
    ] as const) {
      await desk.button('代码块').click();
      await searchOf(page).fill(query);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await pickerOf(page).waitFor({ state: 'detached' });
      expect(await desk.source()).toBe(source);
    }
  });

  test('an Enter that ends a composition picks nothing', async ({ page, desk }) => {
    await desk.open();
    await desk.text.click();
    await desk.button('代码块').click();
    await searchOf(page).waitFor();
    await page.getByRole('option', { name: 'JavaScript' }).first().waitFor();
    const method = await openInputMethod(page);
    await method.compose('peizhi');
    await method.enter('taken');
    await method.commitByEnter('配置');
    await page.getByRole('option', { name: /^YAML/ }).waitFor();
    expect(await pickerOf(page).count()).toBe(1);
    expect(await searchOf(page).inputValue()).toBe('配置');
    await page.keyboard.press('Escape');
    expect(await desk.source()).toBe('');
  });
});

test(
  'a diagram and a formula render in the preview as on the page',
  { tags: ['long'] },
  async ({ site, author, page, desk }) => {
    const content = '```mermaid\ngraph LR\n  A[写] --> B{好吗}\n  B --> C[发]\n```\n\n$$E=mc^2$$\n';
    const id = await site.write(author, { title: '图', content });
    await desk.open(`/edit/${id}`);
    const picture = desk.preview.getByRole('img', { name: '流程图' });
    await picture.waitFor();
    const shown = await picture.innerHTML();
    await desk.preview.locator('math').waitFor();
    await page.goto(`/detail/${id}`);
    expect(await page.getByRole('img', { name: '流程图' }).innerHTML()).toBe(shown);
    await page.locator('.prose math').waitFor();
  },
);

describe('on a phone', () => {
  test.override('window', { viewport: sizes.phone, hasTouch: true });

  test.for(looks(['light', 'dark']))(
    'a language is picked by touch, and axe finds nothing, %s',
    { tags: ['long'] },
    async (theme, { page, desk }) => {
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
      await desk.open();
      await desk.text.tap();
      await desk.button('代码块').tap();
      const option = page.getByRole('option', { name: /^Python/ });
      await option.waitFor();
      const { y = 0, height = 0 } = (await pickerOf(page).boundingBox()) ?? {};
      // Above the on-screen keyboard.
      expect(y + height).toBeLessThan(sizes.phone.height * 0.75);
      const violations = await violationsOf(page);
      expect(violations).toEqual([]);
      await option.tap();
      await pickerOf(page).waitFor({ state: 'detached' });
      await page.keyboard.insertText('pass');
      expect((await desk.source()).trimEnd()).toBe('```python\npass\n```');
    },
  );
});
