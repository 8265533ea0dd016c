import { describe, expect } from 'vitest';
import { addManyTags } from '../engines/many-tags.ts';
import { openInputMethod } from './composition.ts';
import { test } from './desk.ts';

describe('the text', () => {
  test('keys make marks and blocks', async ({ page, desk }) => {
    await desk.open();
    await desk.write('字');
    const made = {
      'Control+b': '**字**',
      'Control+i': '*字*',
      'Control+e': '`字`',
      'Control+k': '[字](https://)',
      'Control+Shift+9': '> 字',
      'Control+Shift+8': '- 字',
      'Control+Shift+7': '1. 字',
    };
    for (const [keys, result] of Object.entries(made)) {
      await page.keyboard.press('Control+a');
      await page.keyboard.press(keys);
      expect(await desk.source(), keys).toBe(result);
      await desk.button('撤销').click();
      expect(await desk.source(), keys).toBe('字');
    }
  });

  test('keys and buttons end the mark they began, words being composed', async ({ page, desk }) => {
    await desk.open();
    await desk.text.click();
    const method = await openInputMethod(page);
    for (const [keys, name, result] of [
      ['Control+b', '加粗', '前**粗**后'],
      ['Control+i', '着重', '前*粗*后'],
      ['Control+Shift+x', '删除线', '前~~粗~~后'],
      ['Control+e', '行内代码', '前`粗`后'],
    ] as const) {
      for (const toggle of [() => page.keyboard.press(keys), () => desk.button(name).click()]) {
        await page.keyboard.insertText('前');
        await toggle();
        await method.compose('cu');
        await method.commit('粗');
        await toggle();
        await method.compose('hou');
        await method.commit('后');
        expect(await desk.source(), name).toBe(result);
        await page.keyboard.press('Control+a');
        await page.keyboard.press('Delete');
      }
    }
  });

  test('an empty mark is removed when the caret or the focus leaves', async ({ page, desk }) => {
    await desk.open();
    await desk.write('前');
    await page.keyboard.press('Control+b');
    expect(await desk.source()).toBe('前****');
    await page.keyboard.press('Home');
    expect(await desk.source()).toBe('前');
    await page.keyboard.press('Control+b');
    await desk.title.click();
    expect(await desk.source()).toBe('前');
  });

  test('Enter on an empty line leaves lists and quotes', async ({ page, desk }) => {
    await desk.open();
    for (const line of ['- 甲', '1. 甲', '- [ ] 甲', '> 甲']) {
      await desk.write(line);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('后');
      expect(await desk.source()).toBe(`${line}\n\n后`);
      await desk.preview.locator('p', { hasText: /^后$/ }).waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
    }
  });

  test('every tool has a name and does something that can be undone', async ({ page, desk }) => {
    await desk.open();
    const tools = page.getByRole('toolbar', { name: '排版' });
    for (const name of [
      '标题级别',
      '加粗',
      '着重',
      '删除线',
      '链接',
      '引用',
      '列表',
      '编号列表',
      '任务列表',
      '行内代码',
      '表格',
      '分隔线',
      '阅读全文线',
    ]) {
      await tools.getByRole('button', { name, exact: true }).click();
      expect(await desk.source(), name).not.toBe('');
      await tools.getByRole('button', { name: '撤销' }).click();
      expect((await desk.source()).trim(), name).toBe('');
    }
  });

  test('composition is not disturbed by other events', { tags: ['long'] }, async ({ guest, page, desk }) => {
    await desk.open();
    await desk.title.fill('组字');
    await desk.text.click();
    const keys = await guest.context.newCDPSession(page);
    for (const composed of ['n', 'ni', 'ni h', 'ni hao']) {
      await keys.send('Input.imeSetComposition', {
        text: composed,
        selectionStart: composed.length,
        selectionEnd: composed.length,
      });
    }
    // Meanwhile the text is autosaved, previewed and counted.
    await desk.saved('已保存');
    await keys.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 });
    await keys.send('Input.insertText', { text: '你好' });
    expect(await desk.source()).toBe('你好');
    await desk.preview.getByText('你好').waitFor();
  });

  test('Enter goes from the title to the text, but not while a word is being chosen', async ({
    guest,
    page,
    desk,
  }) => {
    await desk.open();
    await desk.title.click();
    const keys = await guest.context.newCDPSession(page);
    await keys.send('Input.imeSetComposition', { text: 'biao', selectionStart: 4, selectionEnd: 4 });
    await keys.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await keys.send('Input.insertText', { text: '标' });
    expect(await desk.title.evaluate((element) => element === document.activeElement)).toBe(true);
    // For a moment after the composition, Enter still belongs to the input method.
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter');
        return desk.text.evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
    expect(await desk.title.inputValue()).toBe('标');
    await desk.title.fill('');
  });

  test(
    '200,000 characters can be written in and are previewed',
    { tags: ['long'] },
    async ({ site, author, page, desk }) => {
      const id = await site.write(author, {
        title: '很长',
        content: `${'长文一行一行。'.repeat(20)}\n\n`.repeat(1_400),
      });
      await desk.open(`/edit/${id}`);
      await desk.text.click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText('开头');
      await desk.preview.getByText('开头长文一行一行。').first().waitFor();
      await desk.saved('已保存');
      expect(await desk.title.inputValue()).toBe('很长');
    },
  );
});

describe('tags', () => {
  test('are found by typing, picked by keys, and removed', async ({ page, desk }) => {
    await desk.open();
    await desk.tags.click();
    await page.keyboard.type('jav');
    await page.getByRole('option', { name: 'Java', exact: true }).hover();
    await page.keyboard.press('Enter');
    // The typed tag, although others begin with it and the pointer is on one of them.
    await page.getByRole('button', { name: '去掉 jav', exact: true }).click();
    await desk.tags.click();
    await page.keyboard.type('jav');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => desk.tags.getAttribute('aria-activedescendant')).not.toBeNull();
    await page.keyboard.type('a');
    await page.getByRole('option', { name: 'Java', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '去掉 java', exact: true }).click();
    await desk.tags.click();
    await page.keyboard.type('java');
    await page.getByRole('option', { name: 'Java', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '去掉 Java', exact: true }).waitFor();
    // Repeated presses: Escape closes the list and removes no tag.
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '去掉 Java' }).click();
    expect(await page.getByRole('button', { name: '去掉 Java' }).count()).toBe(0);
  });

  test(
    'a new one needs no dialog, and can have a description',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.tags.fill('造字');
      await page.getByRole('option', { name: '新建标签「造字」' }).click();
      await page.getByRole('button', { name: '去掉 造字' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: '给新标签「造字」写一句描述' }).click();
      const dialog = page.getByRole('dialog', { name: '标签「造字」' });
      await dialog.getByLabel('描述').fill('字'.repeat(301));
      await dialog.getByRole('button', { name: '保存' }).click();
      await dialog.getByText('300').waitFor();
      await dialog.getByLabel('描述').fill('关于字的事');
      await dialog.getByRole('button', { name: '保存' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.goto('/tag/detail/造字');
      expect(await page.getByText('关于字的事').count()).toBe(1);
    },
  );

  test.for(['，', ',', '、'])(
    '%j ends one, and several are pasted at once',
    async (separator, { page, desk }) => {
      await desk.open();
      await desk.tags.click();
      const method = await openInputMethod(page);
      await method.compose('shan');
      await method.commit('山');
      await page.keyboard.insertText(separator);
      await page.getByRole('button', { name: '去掉 山' }).waitFor();
      expect(await desk.tags.inputValue()).toBe('');
      await page.keyboard.insertText(['水', ' 云 ', '山', ''].join(separator));
      await page.getByRole('button', { name: '去掉 云' }).waitFor();
      expect(await page.getByRole('button', { name: /^去掉/ }).count()).toBe(3);
      expect(await desk.tags.inputValue()).toBe('');
    },
  );

  test('Enter that ends a composition adds none', { tags: ['long'] }, async ({ guest, page, desk }) => {
    await desk.open();
    await desk.tags.click();
    const keys = await guest.context.newCDPSession(page);
    await keys.send('Input.imeSetComposition', { text: 'Java', selectionStart: 4, selectionEnd: 4 });
    await keys.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await keys.send('Input.insertText', { text: 'Java' });
    expect(await page.getByRole('button', { name: /^去掉/ }).count()).toBe(0);
  });

  test(
    'one missing from the suggestions is accepted when typed in full',
    { tags: ['long'] },
    async ({ site, author, page, desk }) => {
      await site.write(author, { title: '少见', tags: ['偏僻'] });
      await addManyTags(site.app.db, 2000);
      await desk.open();
      await desk.tags.fill('偏僻');
      await page.getByRole('option', { name: '新建标签「偏僻」' }).click();
      await page.getByRole('button', { name: '去掉 偏僻' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await desk.tags.fill('从未有过');
      await page.getByRole('option', { name: '新建标签「从未有过」' }).click();
      await page.getByRole('button', { name: '去掉 从未有过' }).waitFor();
    },
  );
});
