import { describe, expect, test } from 'vitest';
import { renderComment } from '../../../src/lib/markdown/comment.ts';
import { fromHtml } from '../../../src/lib/markdown/from-html/from-html.ts';
import { renderMarkdown, renderPreview } from '../../../src/lib/markdown/render.ts';

const htmlOf = async (source: string): Promise<string> => {
  const { html } = await renderMarkdown(source);
  expect((await renderPreview(source)).html).toBe(html);
  return html;
};
const partsOf = (html: string, tag: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs')), ([, inside = '']) => inside);
const formulasOf = async (source: string): Promise<string[]> =>
  Array.from(
    (await htmlOf(source)).matchAll(/<annotation[^>]*>(.*?)<\/annotation>/gs),
    ([, tex = '']) => tex,
  );

describe('a dollar in prose', () => {
  test.each([
    '变量$a和$b',
    '变量$a、$b、$c，$d',
    '把$_GET和$_POST合并',
    '用$(pwd)与$(date)，或${HOME}与${PATH}',
    '从$name到$email',
    '在$scope里注入$http服务',
    '价格$5到$10，$α与$β，$é与$è，$б与$в',
    '$this->name和$this->age。',
    'US$5和HK$A',
    '用$a和$_遍历',
    '$HOME/bin:$PATH',
  ])('%s begins no formula', async (source) => {
    expect(await formulasOf(source)).toEqual([]);
    expect((await renderMarkdown(source)).text).toBe(source);
  });

  test.each([
    ['设$x$、$y$为整数', ['x', 'y']],
    ['复杂度$O(n)$，共$n$个', ['O(n)', 'n']],
    ['$a$和$b$', ['a', 'b']],
    ['第$k$-近邻，$n$。（$m$）', ['k', 'n', 'm']],
    ['한글$x$는，かな$y$は', ['x', 'y']],
    ['$a和$b$', ['b']],
    ['变量$a和$b，而$c$是公式', ['c']],
    ['$a$$b$', ['a', 'b']],
    ['**设$x$**，$f(x)$：$y$', ['x', 'f(x)', 'y']],
    ['**a**$x$**b**', ['x']],
    ['式$$E=mc^2$$(1)', ['E=mc^2']],
    ['$x$\\_a', ['x']],
    ['_$x_y$_，__$z$__', ['x_y', 'z']],
  ])('%s has the formulas %j', async (source, formulas) => {
    expect(await formulasOf(source)).toEqual(formulas);
  });

  test.each([
    ['<p><code class="language-math">x</code>axis</p>', '$x$ axis'],
    [
      '<p><code class="language-math">x</code>_a(<code class="language-math">y</code>(1)</p>',
      '$x$\\_a($y$ (1)',
    ],
    ['<p><code class="language-math">x</code>轴</p>', '$x$轴'],
    ['<p>$a和$b</p><p><b>x</b></p>', '$a和$b\n\n**x**'],
  ])('of a pasted formula, as in %s, ends the formula', async (html, markdown) => {
    expect((await fromHtml(html))?.markdown).toBe(markdown);
  });
});

describe('a single tilde', () => {
  test.each([
    '10~20元，30~40元',
    '约10~20元、约30~40元',
    '从3~5天~一周~一月',
    '好的~谢谢~再见',
    '9:00~12:00、14:00~18:00',
    '~10元，~20元',
    'v1.0~v2.0 与 v3.0~v4.0',
    '中文~删除~中文',
    '**5~10元**和**15~20元**',
    'a~b~c',
  ])('%s strikes nothing', async (source) => {
    expect(await htmlOf(source)).not.toContain('<del>');
    expect(renderComment(source)).not.toContain('<del>');
  });

  test.each([
    ['~text~', ['text']],
    ['a ~text~, b', ['text']],
    ['~~text~~', ['text']],
    ['甲~~乙~~丙', ['乙']],
    ['原价（~99元~）今，~旧~。', ['99元', '旧']],
    ['**~旧~** 新', ['旧']],
    ['| a |\n|---|\n| ~旧~ |', ['旧']],
    ['~10~20元~', ['10~20元']],
    ['10~20元 ~~30~40元~~', ['30~40元']],
  ])('%s strikes %j', async (source, struck) => {
    expect(partsOf(await htmlOf(source), 'del')).toEqual(struck);
  });
});

describe('bold next to a sign that Chinese and Latin text share', () => {
  test.each([
    ['**“MCP”**server', ['“MCP”']],
    ['**‘MCP’**server', ['‘MCP’']],
    ['用server**“MCP”**协议', ['“MCP”']],
    ['**注意——**see', ['注意——']],
    ['**等等……**etc', ['等等……']],
    ['**第一·**a', ['第一·']],
    ['**“甲”**and**“乙”**or', ['“甲”', '“乙”']],
    ['**“错”**1个', ['“错”']],
    ['他说“**word**”和“**字**”', ['word', '字']],
    ['**foo—*bar*—baz**', ['foo—<em><span class="slanted">bar</span></em>—baz']],
    ['**“**甲', ['“']],
    ['2 * 3—4 * 5', []],
    ['**(MCP)**server', []],
    ['__“MCP”__server', []],
    ['** “甲” **乙', []],
  ])('%s has %j', async (source, bold) => {
    expect(partsOf(await htmlOf(source), 'strong')).toEqual(bold);
  });

  test('is also bold in a comment, and struck text likewise', async () => {
    expect(renderComment('**“MCP”**server')).toBe('<p><strong>“MCP”</strong>server</p>');
    expect(partsOf(await htmlOf('~~“MCP”~~server'), 'del')).toEqual(['“MCP”']);
    expect(partsOf(await htmlOf('*“甲”*a—*b*'), 'em')).toHaveLength(2);
  });

  test('is written without character references when it is pasted', async () => {
    expect((await fromHtml('<p><b>“MCP”</b>server</p>'))?.markdown).toBe('**“MCP”**server');
    expect((await fromHtml('<p>server<b>“MCP”</b></p>'))?.markdown).toBe('server**“MCP”**');
  });
});
