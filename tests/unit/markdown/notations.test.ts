import { describe, expect, test } from 'vitest';
import { readCodeMeta, readInfo } from '../../../src/lib/markdown/code/code-meta.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

describe('a quotation that begins with a kind is a callout', () => {
  const tags = (html: string) =>
    html
      .replace(/ (?:dir|class)="(?:auto|callout-title|ragged)"/g, '')
      .replaceAll('\n', '')
      .replace(/^<(aside|details) class="callout ([\w-]+)"[^>]*>(.*)<\/\1>$/, '$2: $3');

  test.each([
    ['> [!note] 标题\n> 内容', 'callout-note: <p>标题</p><p>内容</p>'],
    ['> [!NOTE]\n> 内容', 'callout-note: <p>说明</p><p>内容</p>'],
    ['> [!success]\n> 好', 'callout-tip: <p>完成</p><p>好</p>'],
    ['> [!bug]- 折叠\n> 虫', 'callout-details: <summary>折叠</summary><p>虫</p>'],
    ['> [!bug]-\n> 虫', 'callout-details: <summary>缺陷</summary><p>虫</p>'],
    ['> [!tip]+ 展开\n> 文', 'callout-tip: <p>展开</p><p>文</p>'],
    [
      '> [!warning|right] **粗** `码`\n> 文',
      'callout-warning: <p><strong>粗</strong> <code>码</code></p><p>文</p>',
    ],
    ['> [!todo] 只有标题', 'callout-info: <p>只有标题</p>'],
    ['> [!danger]\n>\n> - 项', 'callout-danger: <p>危险</p><ul><li>项</li></ul>'],
    ['> [!quote] 某人\n> 话', '<blockquote><p><strong>某人</strong></p><p>话</p></blockquote>'],
    ['> [!fun] 别的\n> 文', '<blockquote><p>[!fun] 别的<br>文</p></blockquote>'],
  ])('%j', async (source, shown) => {
    const { html } = await renderMarkdown(source);
    expect(tags(html)).toBe(shown);
  });
});

describe('options after the language of code', () => {
  test.each([
    ['js {1,3}', 'js', '', [1, 3]],
    ['js{1,3}', 'js', '', [1, 3]],
    ['JS title="x y.js" {2}', 'js', 'x y.js', [2]],
    ['js filename=a.js', 'js', 'a.js', []],
    ['{.js .numberLines}', 'js', '', []],
    ['{#id .haskell startFrom="100"}', 'haskell', '', []],
    ['{r, echo=FALSE}', 'r', '', []],
    ['{python}', 'python', '', []],
    ['{code-block} python', 'python', '', []],
    ['js:src/file.js', 'js', 'src/file.js', []],
    ['js:no-line-numbers', 'js', '', []],
    ['js line-numbers', 'js', '', []],
    ['js=101', 'js', '', []],
    ['js [a.js]', 'js', 'a.js', []],
    ['rust,ignore', 'rust', '', []],
    ['C++ {1}', 'c++', '', [1]],
    ['language-css', 'css', '', []],
    ['title="a.js"', '', 'a.js', []],
    ['python hl_lines="2 3" linenums="1"', 'python', '', [2, 3]],
    ['go {hl_lines=[1,"3-5"],linenos=table}', 'go', '', [1, 3, 4, 5]],
  ])('%s', async (info, name, title, marked) => {
    const { language, meta } = readInfo(info);
    const read = readCodeMeta(meta);
    expect([language, read.title]).toEqual([name, title]);
    expect([1, 2, 3, 4, 5, 6].filter((line) => read.classOf(line) !== '')).toEqual(marked);
    const { html } = await renderMarkdown(`\`\`\`${info}\nlet a\n\`\`\``);
    expect(/data-lang="([^"]*)"/.exec(html)?.[1] ?? '').toBe(name);
    if (title !== '') expect(html).toContain(`<div class="code-bar"><span>${title}</span>`);
  });

  test('a file name longer than a language name does not lose the language', async () => {
    const path = `src/${'很长'.repeat(40)}/a.ts`;
    const { html } = await renderMarkdown(`\`\`\`ts:${path}\nlet a\n\`\`\``);
    expect(html).toContain('data-lang="ts"');
    expect(html).toContain(`<span>${path}</span>`);
  });
});
