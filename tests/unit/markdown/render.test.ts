import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isTooComplex, renderMarkdown, sentenceOf } from '../../../src/lib/markdown/render.ts';

const FIXTURES = new URL('../../fixtures/markdown/', import.meta.url);

// After `vitest -u`, review the diff of the .html files.
describe('each notation gives the expected HTML', () => {
  const names = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));

  test.each(names)('%s', async (name) => {
    const { html } = await renderMarkdown(await readFile(new URL(`${name}.md`, FIXTURES), 'utf8'));
    await expect(`${html}\n`).toMatchFileSnapshot(new URL(`${name}.html`, FIXTURES).pathname);
  });
});

describe('an article', () => {
  test('without content has no HTML, table of contents, summary or text', async () => {
    for (const source of ['', ' \n\n', '<!-- more -->', '<script>alert(1)</script>']) {
      expect(await renderMarkdown(source)).toMatchObject({ html: '', toc: [], summary: '', text: '' });
    }
  });

  test('renders deterministically, whatever was rendered in between', async () => {
    const source = '# 题\n\n```markdown\n```python\nx = 1\n```\n```\n\n[^1]\n\n[^1]: 注';
    const first = await renderMarkdown(source);
    await renderMarkdown('```python\ndef f(): return 1\n```');
    expect(await renderMarkdown(source)).toEqual(first);
  });

  test('with Windows line ends renders the same', async () => {
    const source = '一\n二\n\n::: tip\n三\n:::\n\n```js\nlet a\n```\n\n<--阅读全文-->\n\n四';
    const { html, text, summary } = await renderMarkdown(source);
    const windows = await renderMarkdown(source.replaceAll('\n', '\r\n'));
    expect(windows.html.replaceAll('\r', '')).toBe(html);
    expect(windows).toMatchObject({ text, summary });
  });
});

describe('the table of contents', () => {
  test('numbers the headings of each level, with anchors that exist', async () => {
    const { toc, html } = await renderMarkdown('## 甲 `x`\n\n### 乙[^1]\n\n## 甲 `x`\n\n## ？\n\n[^1]: 注');
    expect(toc).toEqual([
      { level: 2, no: 1, text: '甲 x', slug: '甲-x' },
      { level: 3, no: 1, text: '乙', slug: '乙1' },
      { level: 2, no: 2, text: '甲 x', slug: '甲-x-1' },
      { level: 2, no: 3, text: '？', slug: 'h2-3' },
    ]);
    for (const { level, no, slug } of toc) {
      expect(html.split(`id="${slug}"`)).toHaveLength(2);
      expect(html.split(`id="h${level}-${no}"`)).toHaveLength(2);
    }
  });

  test('distinguishes a heading named h2-1 from the first second-level heading', async () => {
    const { toc, html } = await renderMarkdown('### h2-1\n\n## 一');
    expect(toc.map(({ slug }) => slug)).toEqual(['h2-1-', '一']);
    expect(html.split('id="h2-1"')).toHaveLength(2);
  });

  test('links to its headings despite other ids in the text, each once', async () => {
    const source = [
      '# user-content-x',
      '<a id="x">甲</a> <b id="x">乙</b>',
      '## user-content-fn-1',
      '## user-content-footnote-label',
      '### h2-1',
      '### h2-1-',
      '<h2 id="x">丙</h2>',
      '## 丙',
      '文[^1]',
      '[^1]: 注',
    ];
    const { toc, html } = await renderMarkdown(source.join('\n\n'));
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    for (const { text, slug } of toc)
      expect(html).toMatch(new RegExp(`<h\\d id="${slug}" dir="auto"><a class="anchor"[^>]*></a>${text}</h`));
    expect(html).toContain('<a id="user-content-x">甲</a>');
    expect(html).toContain('<li id="user-content-fn-1">');
    expect(html).toContain('<h2 id="user-content-footnote-label"');
  });
});

describe('the text for search', () => {
  test('is what a reader sees, a line for each block', async () => {
    const { text, words } = await renderMarkdown(
      '# 题\n\n一 **二**\n三 &amp; `c`\n\n- 甲\n- 乙\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a  = 1\n\nb\n```\n\n![描述](/x.png)脚注[^1]\n\n<b>标签</b><!-- 注释 -->\n\n[^1]: 注',
    );
    expect(text).toBe('题\n一 二\n三 & c\n甲\n乙\na b\n1 2\nlet a  = 1\n\nb\n脚注\n标签\n注');
    expect(words).toBe(20);
  });

  test('has captions of pictures and titles of code, where readers see them', async () => {
    const picture = '一\n\n![描述](/x.png "图一：锁升级")\n\n二 ![行内](/y.png "不显示")';
    const code = '```java title="Lock.java" {1}\nint a;\n```\n\n```js {1}\nlet b\n```';
    const { text, html, summary } = await renderMarkdown(`${picture}\n\n${code}`);
    expect(text).toBe('一\n图一：锁升级\n二\nLock.java\nint a;\nlet b');
    expect(html).toContain('<figcaption>图一：锁升级</figcaption>');
    expect(summary).toBe('一 二');
  });

  test('has the caption of HTML once', async () => {
    const { text } = await renderMarkdown(
      '<figure><img src="/x.png" title="t"><figcaption>图</figcaption></figure>',
    );
    expect(text).toBe('图');
  });
});

describe('the summary', () => {
  const summaryOf = async (source: string) => (await renderMarkdown(source)).summary;

  test('is the opening prose, without headings, images, code and markup', async () => {
    const source = '# 题\n\n![图](/x.png)\n\n**开头**的[话](/x)\n\n```js\nlet a\n```\n\n> 引用';
    expect(await summaryOf(source)).toBe('开头的话 引用');
  });

  test('stops at the fold', async () => {
    expect(await summaryOf('折叠前\n\n<--阅读全文-->\n\n::: tip\n折叠后\n:::\n\n后')).toBe('折叠前');
  });

  test('joins lines and paragraphs without a space after full-width punctuation', async () => {
    expect(await summaryOf('第一句。\n\n如下：\n\n- 甲，\n- 乙\n\nEnd. Next')).toBe(
      '第一句。如下：甲，乙 End. Next',
    );
  });

  test('is cut after about 140 characters, with an ellipsis', async () => {
    expect(await summaryOf('字'.repeat(140))).toBe('字'.repeat(140));
    expect(await summaryOf('字'.repeat(141))).toBe(`${'字'.repeat(140)}…`);
    expect(await summaryOf(`${'字'.repeat(139)}，后面`)).toBe(`${'字'.repeat(139)}…`);
  });

  test('never splits an emoji, a combined character or a Latin word', async () => {
    const family = '👨‍👩‍👧‍👦';
    expect(await summaryOf(`${'字'.repeat(139)}${family}${family}`)).toBe(`${'字'.repeat(139)}${family}…`);
    expect(await summaryOf(family.repeat(200))).toBe(`${family.repeat(140)}…`);
    expect(await summaryOf(`${'字'.repeat(135)} wonderful`)).toBe(`${'字'.repeat(135)}…`);
  });

  test('falls back to headings without prose', async () => {
    expect(await summaryOf('# 只有标题\n\n```js\nlet a\n```')).toBe('只有标题');
  });
});

describe('a text that nests too deeply is refused', () => {
  test.each([
    ['101 quotes in a line', '>'.repeat(101)],
    ['5,000 quotes in a line', '>'.repeat(5_000)],
    ['5,000 lists in a line', `${'- '.repeat(5_000)}x`],
    ['10,000 open boxes', '<div>'.repeat(10_000)],
  ])('%s', async (_, source) => {
    await expect(renderMarkdown(source)).rejects.toSatisfy(isTooComplex);
  });

  test('ordinary depth and long rules are accepted', async () => {
    const list = Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- 第 ${depth} 层`).join('\n');
    const { text } = await renderMarkdown(`${list}\n\n${'> '.repeat(20)}引用\n\n${'-'.repeat(500)}`);
    expect(text).toContain('第 19 层\n引用');
  });
});

describe('a text that would make a heavy page is refused, with the exceeded limit', () => {
  const sentence = async (source: string) =>
    renderMarkdown(source).then(
      () => null,
      (error: unknown) => isTooComplex(error) && sentenceOf(error),
    );
  const HEADINGS = '正文的标题不能超过 2000 个，请删减或分成几篇';
  const BYTES = '正文排版后不能超过 1.5 MB，请删减或分成几篇';

  test('2,000 headings are rendered, 2,001 are refused, in Markdown or HTML', async () => {
    const headings = (count: number) => '# a\n'.repeat(count);
    expect((await renderMarkdown(headings(2_000))).toc).toHaveLength(2_000);
    expect(await sentence(headings(2_001))).toBe(HEADINGS);
    expect(await sentence(`${headings(1_000)}\n${'<h6>a</h6>\n'.repeat(1_001)}`)).toBe(HEADINGS);
  });

  test('the title of footnotes does not count', async () => {
    expect((await renderMarkdown(`${'# a\n'.repeat(2_000)}\n[^1]\n\n[^1]: 注`)).toc).toHaveLength(2_000);
  });

  test('HTML and table of contents together stay below 1.5 MB', async () => {
    // Each character becomes six bytes of HTML.
    const text = (count: number) => `\`${'&'.repeat(count)}\``;
    const { html } = await renderMarkdown(text(249_900));
    expect(Buffer.byteLength(html)).toBeGreaterThan(1_499_000);
    expect(await sentence(text(250_000))).toBe(BYTES);
    // Each heading is in the page three times, so half of the bytes are not in the article's HTML.
    const heading = `# ${'字'.repeat(98)}\n`;
    expect(await sentence(heading.repeat(2_000))).toBe(BYTES);
  });

  test('a text that is too large is refused before its code is highlighted', async () => {
    // More than the API accepts, but an import or another server may contain it.
    expect(await sentence(`\`\`\`js\n${'字'.repeat(500_001)}\n\`\`\``)).toBe(BYTES);
  });

  test('the longest plain Chinese article is far below', async () => {
    const { html } = await renderMarkdown(`${'空山新雨后，天气晚来秋。'.repeat(25)}\n\n`.repeat(660));
    expect(Buffer.byteLength(html)).toBeLessThan(700_000);
  });

  test('a long heading is cut in the table of contents, never inside a character', async () => {
    const family = '👨‍👩‍👧';
    const { toc, html } = await renderMarkdown(`# ${family.repeat(100)}`);
    expect(toc[0]?.text).toBe(`${family.repeat(25)}…`);
    expect(html).toContain(family.repeat(100));
  });
});

describe('raw HTML never removes the text after it', () => {
  const NAMES =
    'title textarea style xmp iframe noembed noframes script plaintext select template svg math table object';
  test.each(NAMES.split(' '))('%s', async (name) => {
    for (const tag of [`<${name}>`, `<${name.toUpperCase()} a="b"/>`]) {
      const { html, text } = await renderMarkdown(`写在 ${tag} 后的**字**\n\n- ${tag} 项\n\n第二段的*字*`);
      expect(text.replaceAll(tag, '').replaceAll(/\s+/g, '')).toBe('写在后的字项第二段的字');
      expect(html).toContain('第二段的<em>字</em>');
    }
  });

  test('a closed element is removed, a template keeps its text', async () => {
    const closed =
      '前 <script>alert(1)</script> 后\n\n<style>\n\na{}\n</style>\n\n<template>\n<b>板</b>\n</template>';
    expect((await renderMarkdown(closed)).html).toBe('<p dir="auto">前  后</p>\n\n\n<b dir="auto">板</b>');
  });
});
