import { describe, expect } from 'vitest';
import { SAMPLE, test as base } from './desk.ts';

const test = base.extend(
  'stranger',
  { scope: 'file' },
  async ({ site }) => (await site.join('别人')).viewer.username,
);

describe('access to the editor', () => {
  test('a visitor is sent to sign in, and back here', { tags: ['long'] }, async ({ guest, page }) => {
    await guest.context.clearCookies();
    for (const path of ['/write', '/edit/0123456789abcdef01234567']) {
      const response = await page.request.get(path, { maxRedirects: 0 });
      expect([response.status(), response.headers()['location']]).toEqual([
        302,
        `/signin?redirect=${encodeURIComponent(path)}`,
      ]);
    }
  });

  test('the page is neither cached nor indexed', { tags: ['long'] }, async ({ page }) => {
    const response = await page.goto('/write');
    expect(response?.headers()['cache-control']).toBe('private, no-store');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  });
});

describe('another user', () => {
  test.override('username', ({ stranger }) => stranger);

  test.for(['0123456789abcdef01234567', 'theirs', 'not-an-id'])(
    'nothing to edit at %s',
    async (asked, { site, author, page }) => {
      const id = asked === 'theirs' ? await site.write(author, { title: '林间的', status: 'draft' }) : asked;
      await page.goto(`/edit/${id}`);
      const sentence = page.getByRole('alert');
      await sentence.getByText('打不开这篇文章').waitFor();
      expect(await sentence.innerText()).toMatch(
        /文章不存在或已被删除|编号格式不正确|只能操作自己发布的内容/,
      );
      expect(await sentence.innerText()).not.toContain('林间的');
      await sentence.getByRole('link', { name: '写新文章' }).waitFor();
    },
  );
});

describe('writing and publishing', () => {
  test('the published article looks like the preview', { tags: ['long'] }, async ({ page, desk }) => {
    await desk.open();
    await desk.title.fill('预览<b>与</b>发布');
    await desk.pick('Java');
    await desk.write(SAMPLE);
    await desk.preview.getByText('注在这里').waitFor();
    const html = await desk.preview.innerHTML();
    expect(html).toContain('class="tk-');
    await desk.button('发布').click();
    await page.waitForURL(/\/detail\/[0-9a-f]{24}$/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('预览<b>与</b>发布');
    const shown = await page.locator('article .prose').evaluate((prose) => {
      // The copy buttons of code blocks are not part of the preview.
      for (const button of prose.querySelectorAll('.copy-button')) button.remove();
      return prose.innerHTML;
    });
    const lines = (text: string) => text.trim().replace(/ +</g, '<');
    expect(lines(shown)).toBe(lines(html));
  });

  test(
    '保存草稿 stays and links to the draft; an article is published again as an update',
    { tags: ['long'] },
    async ({ site, author, page, desk }) => {
      await desk.open();
      await desk.title.fill('先放着');
      await desk.write('还没写完');
      await desk.button('保存草稿').click();
      await page.getByText('已保存在「我的草稿」里').waitFor();
      await page.waitForURL(/\/edit\/[0-9a-f]{24}$/);
      expect(await desk.source()).toBe('还没写完');
      const id = await site.write(author, { title: '已发布', content: '旧的' });
      await desk.open(`/edit/${id}`);
      expect(await desk.source()).toBe('旧的');
      await desk.text.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('，新的');
      await desk.button('更新').click();
      await page.waitForURL(`/detail/${id}`);
      await page.getByText('旧的，新的').waitFor();
    },
  );

  test('Ctrl+S saves and stays, from the title too; reopened everything is there', async ({ page, desk }) => {
    await desk.open();
    await desk.write('按键保存');
    await desk.title.fill('快捷键');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/edit\/[0-9a-f]{24}$/);
    await desk.saved('已保存');
    await page.reload();
    await desk.text.waitFor();
    expect([await desk.title.inputValue(), await desk.source()]).toEqual(['快捷键', '按键保存']);
  });

  test('deleting asks first', { tags: ['long'] }, async ({ site, author, page, desk }) => {
    const id = await site.write(author, { title: '要删的', status: 'draft' });
    await desk.open(`/edit/${id}`);
    await desk.button('删除').click();
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await question.getByRole('button', { name: '取消' }).click();
    expect(page.url()).toContain(id);
    await desk.button('删除').click();
    await question.getByRole('button', { name: '删除' }).click();
    await page.waitForURL('/user/draft');
    await page.goto(`/edit/${id}`);
    await page.getByText('文章不存在或已被删除').waitFor();
  });

  test(
    'missing fields are marked, and the first has the focus',
    { tags: ['long'] },
    async ({ page, desk }) => {
      await desk.open();
      await desk.write('只有正文');
      await desk.button('发布').click();
      await page.getByText('请填写标题').waitFor();
      await page.getByText('请至少填写 1 个标签').waitFor();
      expect(await desk.title.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await desk.title.getAttribute('aria-invalid')).toBe('true');
      await page.keyboard.type('题');
      expect(await page.getByText('请填写标题').count()).toBe(0);
      await desk.title.fill('😀'.repeat(121));
      await page.getByText('标题不能超过 120 个字符，现在有 121 个').waitFor();
    },
  );

  test('a paste that exceeds the limit is refused as a whole', async ({ page, desk }) => {
    await desk.open();
    await desk.write('留着');
    await desk.text.evaluate((element) => {
      const data = new DataTransfer();
      data.setData('text/plain', '长'.repeat(200_001));
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.getByText('正文不能超过 200,000 个字符').waitFor();
    expect(await desk.source()).toBe('留着');
  });
});
