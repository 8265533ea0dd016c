import { expect } from 'vitest';
import { test } from './desk.ts';

test.override('window', { permissions: ['clipboard-read', 'clipboard-write'] });

const LONG = Array.from({ length: 31 }, (_, index) => `第 ${index + 1} 行`).join('\n');

const ARTICLE = `## 标题

[墨页](/home)和[墨页](/home)，网址 https://example.com/a ，脚注[^1]，[文内](#标题)。

\`\`\`js {2}
const a = 1;
  return a;
\`\`\`

设 $x^2=a_i$，又 $\\frac{1}{2}$，价 $5。

\`\`\`mermaid
graph TD
甲-->乙
\`\`\`

\`\`\`text title="长"
${LONG}
\`\`\`

- [x] 做完

::: tip 小提示
内容
:::

![图](/api/file/0123456789abcdef0123456789abcdef-1x1.webp)

[^1]: 注在这里
`;

test('an article is copied for 公众号 with inline styles and a list of links; a refused clipboard is reported', async ({
  guest,
  page,
  desk,
  site,
}) => {
  // The picture does not exist.
  guest.forgive(/404/);
  // Chromium logs this for all HTML with inline styles that is copied from a page with such a policy, but
  // copies it completely.
  guest.forgive(/^Applying inline style violates/);
  await desk.open();
  await desk.write(ARTICLE);
  const copy = async () => {
    await desk.button('更多').click();
    await page.getByRole('menuitem', { name: '复制到公众号' }).click();
  };
  await copy();
  await page
    .getByText('已复制，去公众号编辑器里粘贴；1 个公式那里画不出，写成了 TeX；1 个链接列在文末')
    .waitFor();
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
  // Inline formulas become letters, code blocks get a language label and nothing else, and arrows need no
  // ids.
  expect(html).toMatch(/<em>x<\/em><sup [^>]*>2<\/sup>\u2009=\u2009<em>a<\/em><sub [^>]*><em>i<\/em><\/sub>/);
  expect(html).toMatch(/又 <code [^>]*>\\frac\{1\}\{2\}<\/code>，价 \$5。/);
  expect(html).toMatch(/<p [^>]*>JavaScript<\/p><pre [^>]*><code>/);
  expect(html).toMatch(/第&nbsp;20&nbsp;行<br>第&nbsp;21&nbsp;行.*第&nbsp;31&nbsp;行<\/code>/);
  expect(html).not.toMatch(/<math|marker|<defs|<details|<summary|<button|复制|展开其余|查看流程图/);
  expect(html).toMatch(/<svg [^>]*viewBox.*rotate\(90\.0\).*<polygon/s);
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
