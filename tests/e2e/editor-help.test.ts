import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { test } from './desk.ts';

test('help shows each sample as rendered; its shortcut types nothing', async ({ page, desk }) => {
  await desk.open();
  await desk.text.click();
  await page.keyboard.type('?');
  expect(await desk.source()).toBe('?');
  await page.keyboard.press('F1');
  const help = page.getByRole('dialog', { name: 'Markdown 写法' });
  await help.locator('.prose .callout-tip').waitFor();
  expect(await help.locator('.prose pre span').count()).toBeGreaterThan(0);
  expect(await help.getByText('Ctrl+B').count()).toBe(1);
  // Each diagram must use its own arrow ids.
  const arrows = await help.locator('[marker-end]').evaluateAll((lines) =>
    lines.map((line) => {
      const id = /#([^)]+)/.exec(line.getAttribute('marker-end') ?? '')?.[1] ?? '';
      const found = document.querySelectorAll(`[id="${id}"]`);
      return found.length === 1 && found[0]?.closest('svg') === line.closest('svg');
    }),
  );
  expect(arrows.length).toBeGreaterThan(2);
  expect(arrows).not.toContain(false);
  const violations = await violationsOf(page, { include: '[role=dialog]' });
  expect(violations).toEqual([]);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.type('!');
  expect(await desk.source()).toBe('?!');
});

test('a template fills an empty editor; an own text becomes a template, which can be removed', async ({
  page,
  desk,
}) => {
  await desk.open();
  await desk.button('从模板开始').click();
  const templates = page.getByRole('dialog', { name: '模板' });
  await templates.getByRole('button', { name: '周报' }).click();
  await expect.poll(desk.source).toContain('## 这周做了');
  await expect.poll(() => desk.button('从模板开始').count()).toBe(0);

  const open = async () => {
    await desk.button('更多').click();
    await page.getByRole('menuitem', { name: '模板' }).click();
  };
  await open();
  await templates.getByRole('button', { name: '存成模板' }).click();
  await templates.getByText('给模板起个名字').waitFor();
  await templates.getByRole('textbox', { name: '模板的名字' }).fill('我的周报');
  await templates.getByRole('button', { name: '存成模板' }).click();
  await templates.getByRole('button', { name: '我的周报', exact: true }).waitFor();
  await page.keyboard.press('Escape');

  await desk.open();
  await desk.text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await open();
  await templates.getByRole('button', { name: '我的周报', exact: true }).click();
  await expect.poll(async () => (await desk.source()).match(/这周做了/g)?.length).toBe(2);
  await open();
  await templates.getByRole('button', { name: '删除模板 我的周报' }).click();
  expect(await templates.getByText('我的周报').count()).toBe(0);
});
