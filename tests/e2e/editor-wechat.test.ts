import { expect } from 'vitest';
import { test } from './desk.ts';

test.override('window', { permissions: ['clipboard-read', 'clipboard-write'] });

const ARTICLE = `## 标题

[墨页](/home)和[墨页](/home)，网址 https://example.com/a ，脚注[^1]，[文内](#标题)。

\`\`\`js
const a = 1;
  return a;
\`\`\`

- [x] 做完

::: tip 小提示
内容
:::

![图](/api/file/0123456789abcdef0123456789abcdef-1x1.webp)

[^1]: 注在这里
`;

test('an article is copied for 公众号: styles in its elements, links as a list; a refused clipboard says so', async ({
  guest,
  page,
  desk,
  site,
}) => {
  // The picture is none.
  guest.forgive(/404/);
  // Chromium says that of any HTML with styles that a page with such a policy copies, and copies it whole.
  guest.forgive(/^Applying inline style violates/);
  await desk.open();
  await desk.write(ARTICLE);
  const copy = async () => {
    await desk.button('更多').click();
    await page.getByRole('menuitem', { name: '复制到公众号' }).click();
  };
  await copy();
  await page.getByText('已复制，去公众号编辑器里粘贴；1 个链接列在文末').waitFor();
  const read = (type: string) =>
    page.evaluate(async (type) => {
      const [item] = await navigator.clipboard.read();
      return (await item?.getType(type))?.text() ?? '';
    }, type);
  const html = await read('text/html');
  expect(html).toMatch(/<h2 style="[^"]*font-weight/);
  expect(html).toMatch(/<span style="color: rgb\(61, 79, 159\);?">const<\/span>/);
  expect(html).toContain('<br>');
  expect(html).toContain(`src="${site.url}/api/file/`);
  expect(html).not.toMatch(/class=|id="|<a |<input|<aside|<script/);
  expect(html).toContain('☑');
  const text = await read('text/plain');
  expect(text).toContain('墨页[2]和墨页[2]，网址 https://example.com/a ，脚注[1]，文内。');
  expect(text).toContain('注在这里');
  expect(text).toContain(`[2] ${site.url}/home`);

  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await copy();
  await page.getByText('浏览器不允许复制').waitFor();
});
