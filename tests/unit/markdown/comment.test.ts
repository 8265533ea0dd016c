import { describe, expect, test } from 'vitest';
import { renderComment } from '../../../src/lib/markdown/comment.ts';

describe('a comment', () => {
  test.each([
    ['**粗**和*斜*，~~删~~', '<p><strong>粗</strong>和<em>斜</em>，<del>删</del></p>'],
    ['**“粗”**好', '<p><strong>“粗”</strong>好</p>'],
    ['`a < b`', '<p><code>a &#x3C; b</code></p>'],
    ['> 引\n\n好', '<blockquote>\n<p>引</p>\n</blockquote>\n<p>好</p>'],
    ['- 一\n- 二', '<ul>\n<li>一</li>\n<li>二</li>\n</ul>'],
    ['3. 三', '<ol start="3">\n<li>三</li>\n</ol>'],
    ['```js\nlet a;\n```', '<pre class="code" tabindex="0" data-lang="js"><code>let a;\n</code></pre>'],
    ['*一*\n二', '<p><em>一</em><br>\n二</p>'],
    ['\\*不斜\\*', '<p>*不斜*</p>'],
  ])('%j is marked up', (source, html) => {
    expect(renderComment(source)).toBe(html);
  });

  test.each([
    ['[x](https://a.cn)', '<p><a href="https://a.cn" rel="noopener nofollow ugc">x</a></p>'],
    [
      '见 https://a.cn，好',
      '<p>见 <a href="https://a.cn" rel="noopener nofollow ugc">https://a.cn</a>，好</p>',
    ],
    ['[x](/detail/1)', '<p><a href="/detail/1">x</a></p>'],
    ['![图](https://a.cn/x.png)', '<p><a href="https://a.cn/x.png" rel="noopener nofollow ugc">图</a></p>'],
    [
      '![](https://a.cn/x.png)',
      '<p><a href="https://a.cn/x.png" rel="noopener nofollow ugc">https://a.cn/x.png</a></p>',
    ],
    ['[x](javascript:alert(1))', '<p><a>x</a></p>'],
  ])('%j is a link, and never a picture', (source, html) => {
    expect(renderComment(source)).toBe(html);
  });

  test.each([
    '写得真好 👍',
    '一\n二\n\n三',
    '# 不是标题',
    '不是标题\n===',
    '一\n---\n二',
    '<b>不是粗体</b><!-- 也在 -->',
    '<script>alert(1)</script>',
    '| a | b |\n| - | - |\n| 1 | 2 |',
    '脚注[^1]\n\n[^1]: 没有',
    '[a]: x',
    '    缩进不是代码',
    'snake_case_name 和 2 * 3 * 4',
    '1 < 2 && 3 > 2',
    '**没有闭合',
    '@林间 你好',
  ])('%j is shown as it is', (source) => {
    expect(renderComment(source)).toBe('');
  });

  test('shows HTML as text next to formatted parts', () => {
    expect(renderComment('*x* <img src=x onerror=alert(1)>')).toBe(
      '<p><em><span class="slanted">x</span></em> &#x3C;img src=x onerror=alert(1)></p>',
    );
  });

  test.each([
    '[a](b)',
    '1. a\n',
    '- a\n',
    '>'.repeat(150),
    '`a',
    '*a_',
    '[',
    'www.a.b ',
    '&amp;',
    '\n>',
    '> - ',
  ])('with only %j is not formatted', (part) => {
    expect(renderComment(part.repeat(Math.ceil(2_000 / part.length)).slice(0, 2_000))).toBe('');
  });

  test('may have a long block of code', () => {
    const code = 'a[b] = `*c*` & d;\n'.repeat(90);
    expect(renderComment(`看这段：\n\n\`\`\`\n${code}\`\`\``)).toContain('<pre class="code"');
  });
});
