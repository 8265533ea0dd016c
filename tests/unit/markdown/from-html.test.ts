import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromHtml } from '../../../src/lib/markdown/from-html/from-html.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const folder = join(import.meta.dirname, '../../fixtures/paste');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => basename(name, '.html'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('HTML of other programs becomes markdown', () => {
  test.each(names)('%s', async (name) => {
    expect(`${(await fromHtml(read(`${name}.html`)))?.markdown}\n`).toBe(read(`${name}.md`));
  });

  test.each(names)('%s renders without a sign left over, a script or hidden text', async (name) => {
    const { html, text } = await renderMarkdown((await fromHtml(read(`${name}.html`)))?.markdown ?? '');
    expect(html).not.toMatch(/script:|alert|onerror|藏着|看不见/);
    expect(text.replace('*stays*', '')).not.toMatch(/\*|~~|&#x/);
  });
});

test('pictures without a web URL are counted', async () => {
  const { markdown, lostPictures } =
    (await fromHtml('<p>图<img src="file:///C:/a.png" alt="一"><img src="data:x"></p><hr>')) ?? {};
  expect([markdown, lostPictures]).toEqual(['图一\n\n---', 2]);
});

test('plain text is not converted, including markdown', async () => {
  expect(
    await fromHtml(
      '<meta charset="utf-8"><span style="color:red">**粗** 与 # 号</span><br><div>下一行</div>',
    ),
  ).toBeNull();
  expect(await fromHtml('')).toBeNull();
});

test.each([
  ['<p>前<b>粗。</b>后</p>', '前**粗。**后'],
  ['<p>前<b>“粗”</b><i>斜</i>后</p>', '前**“粗”***斜*后'],
  ['<p><b>粗 </b><b> 体</b></p>', '**粗** **体**'],
  ['<p><b><br></b>甲<b> </b><s>乙</s></p>', '甲 ~~乙~~'],
  ['<p><a href="java&#10;script:alert(1)"><b>甲</b></a></p>', '**甲**'],
  ['<p>甲<b hidden>乙</b><b style="visibility:hidden">丙</b><b>丁</b></p>', '甲**丁**'],
  [
    '<figure class="highlight"><pre><code class="language-ruby" data-lang="ruby">a\n  b</code></pre></figure>',
    '```ruby\na\n  b\n```',
  ],
  [
    '<div class="language-js line-numbers-mode"><pre class="language-js"><code>let a</code></pre><div class="line-numbers" aria-hidden="true"><div class="line-number"></div></div></div>',
    '```js\nlet a\n```',
  ],
  ['<p><b>甲</b><span class="copy-btn">复制</span></p>', '**甲**'],
  ['<table><tr><td colspan=1000000>甲</td></tr><tr><td>乙</td></tr></table>', null],
])('%s', async (html, markdown) => {
  const made = (await fromHtml(html))?.markdown;
  if (markdown === null) expect(made?.length).toBeLessThan(2_000);
  else expect(made).toBe(markdown);
  expect((await renderMarkdown(made ?? '')).text).not.toMatch(/\*|~~/);
});

test('dollar signs next to a formula are not part of it', async () => {
  const html = '<p>$5、$6。<code class="language-math">a &lt; b</code>，$7</p>';
  const { markdown } = (await fromHtml(html)) ?? { markdown: '' };
  expect((await renderMarkdown(markdown)).text).toBe('$5、$6。a < b，$7');
});

test('nesting deeper than the stack is an error, not a crash', async () => {
  await expect(fromHtml('<div>'.repeat(50_000))).rejects.toThrow(RangeError);
});

describe('pasted formulas render from the same TeX', () => {
  const TEX = /<annotation[^>]*>(.*?)<\/annotation>/gs;
  test.each([
    ['katex', ['x^2', '\\begin{aligned} a &#x26;= b \\\\\nc &#x26;= d \\end{aligned}', '\\vert x\\vert']],
    ['mathjax-2', ['E=mc^2', '\\frac{a}{b}', '\\int_0^1 y \\,dy']],
    ['mathjax-3', ['\\frac{a}{\\sqrt{b}}', '\\sum_{i = 1}^{n} i^{2}', '\\alpha_1']],
    ['zhihu', ['a^2+b^2=c^2', '\\frac{1}{2}', 'x + y']],
    ['wikipedia', ["f'(x)", '\\lim _{n\\to \\infty }a_{n}']],
    ['yuque-formula', ['d^2']],
    ['moye', ['x^2', 'a \\ne b']],
  ])('%s', async (name, expected) => {
    const { html } = await renderMarkdown((await fromHtml(read(`${name}.html`)))?.markdown ?? '');
    expect(Array.from(html.matchAll(TEX), ([, tex]) => tex)).toEqual(expected);
  });

  test.each([
    ['<p>从 <b>$5</b> 到 $6，共 $a$ 元</p>', '从 **$5** 到 $6，共 \\$a\\$ 元'],
    [
      '<p><b>式</b><math><annotation encoding="application/x-tex">n</annotation></math>2 个</p>',
      '**式**$n$ 2 个',
    ],
    ['<p><b>式</b><math><mi>a</mi><mo>', '**式**$a$'],
    ['<p><b>式</b><math></math></p>', '**式**'],
    ['<p><img alt="x" src="https://www.zhihu.com/equation?tex=%E0%A4%A"><b>式</b></p>', '$x$**式**'],
  ])('%s', async (html, markdown) => {
    expect((await fromHtml(html))?.markdown).toBe(markdown);
  });
});

const VSCODE =
  "color: #3b3b3b;background-color: #ffffff;font-family: Menlo, Monaco, 'Courier New', monospace;white-space: pre;";
const XCODE = '<style>p.p1 {margin: 0.0px; font: 12.0px Menlo; color: #000}</style>';

describe('the coloured text of a code editor is code', () => {
  test.each([
    `<meta charset='utf-8'><div style="${VSCODE}"><div><span style="color: #00f;">let</span> a</div><br><div>b</div></div>`,
    `<html><head></head><body><div style="${VSCODE}">一行</div></body></html>`,
    `${XCODE}<p class="p1"><span class="s1">let</span> a</p>\n<p class="p1">b</p>`,
    '<DIV STYLE="display:inline-block;white-space:pre;font-family:Cascadia Mono,monospace;"><SPAN>PS C:\\&gt; ls</SPAN><BR></DIV>',
  ])('%s', async (html) => expect(await fromHtml(html)).toMatchObject({ isCode: true }));

  test.each([
    // A page in a monospace font.
    '<p style="font-family: Menlo; white-space: normal">散文</p><p style="font-family: Menlo; white-space: normal">两段</p>',
    `<div style="${VSCODE}"><a href="https://a.b">链接</a></div>`,
    `<p>正文</p><div style="${VSCODE}">code</div>`,
    '<div style="white-space: pre-wrap; font-family: sans-serif">聊天记录</div>',
    `${XCODE.replace('}', '} p.p2 {font: 12.0px Helvetica}')}<p class="p1">a</p>`,
    `<div style="${VSCODE}"> </div>`,
  ])('other text is not: %s', async (html) => expect((await fromHtml(html))?.isCode).toBeUndefined());

  test('a pre of an editor stays a code block', async () => {
    const html =
      '<pre style="font-family:\'JetBrains Mono\',monospace;"><span>val</span> a<br><i>// b</i></pre>';
    expect((await fromHtml(html))?.markdown).toBe('```\nval a\n// b\n```');
  });
});
