import { describe, expect, test } from 'vitest';
import { articleFromHtml, commentFromHtml, wordsOf } from '../../../src/lib/markdown/from-html/article.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const options = { resolve: (address: string) => URL.parse(address, 'https://old.example/a/')?.href ?? '' };
const article = async (html: string) => (await articleFromHtml(html, options)).markdown;
const comment = async (html: string) => (await commentFromHtml(html, options)).markdown;

describe('HTML of a whole article', () => {
  test.each([
    [
      'a picture with its caption',
      '<figure><img src="/b.png" alt="花"><figcaption>一<b>朵</b></figcaption></figure>',
      '![花](https://old.example/b.png "一朵")',
    ],
    [
      'a link to the picture itself',
      '<a href="/b.png"><img src="/b-300x200.png"></a>',
      '![](https://old.example/b.png)',
    ],
    [
      'a link to elsewhere',
      '<a href="/c/"><img src="/b.png"></a>',
      '[![](https://old.example/b.png)](https://old.example/c/)',
    ],
    [
      'a picture that loads late',
      '<img src="data:image/gif;base64,x" data-src="c.png">',
      '![](https://old.example/a/c.png)',
    ],
    [
      'a gallery',
      '<figure><img src="/b.png"><img src="/c.png"><figcaption>两张</figcaption></figure>',
      '![](https://old.example/b.png)\n\n![](https://old.example/c.png)\n\n*两张*',
    ],
    [
      'a table with a caption',
      '<figure><table><tr><td>甲</td></tr><tr><td>乙</td></tr></table><figcaption>表</figcaption></figure>',
      '| 甲 |\n| - |\n| 乙 |\n\n*表*',
    ],
    [
      'a frame',
      '<p>前<iframe src="//b.example/x?a=1&amp;b=2" title="题&quot;"></iframe>后</p>',
      '前\n\n<iframe src="https://b.example/x?a=1&amp;b=2" title="题&quot;"></iframe>\n\n后',
    ],
    ['a frame that leads nowhere', '<p>前</p><iframe src="javascript:alert(1)"></iframe>', '前'],
    [
      'a video with sources',
      '<video><source src="/a.mp4"><p>旧浏览器</p></video>',
      '<video src="https://old.example/a.mp4"></video>',
    ],
    [
      'details',
      '<details><summary>看</summary><p>甲</p><p>乙</p></details>',
      '::: details 看\n\n甲\n\n乙\n\n:::',
    ],
    ['the end of the excerpt', '<p>甲<!-- 注 --></p><!--more--><p>乙</p>', '甲\n\n<--阅读全文-->\n\n乙'],
    ['the end of the excerpt in a paragraph', '<p>甲<!--more 还有-->乙</p>', '甲\n\n<--阅读全文-->\n\n乙'],
    ['marks that have no sign', '<p>H<sub>2</sub>O <kbd>Esc</kbd></p>', 'H<sub>2</sub>O <kbd>Esc</kbd>'],
    [
      'notes',
      '<p>甲<sup><a href="#n1" id="r1">1</a></sup>乙<sup><a href="#n1">1</a></sup></p><ol><li id="n1">注 <a href="#r1">↩</a></li></ol>',
      '甲[^1]乙[^1]\n\n[^1]: 注',
    ],
    [
      'a raised link that is no note',
      '<p>甲<sup><a href="#x">1</a></sup></p><p id="x">乙</p>',
      '甲<sup>1</sup>\n\n乙',
    ],
    [
      'bare addresses',
      '<p>见 https://a.example/b_c，(http://a.example/d). <a href="https://a.example">https://b.example</a></p>',
      '见 <https://a.example/b_c>，(<http://a.example/d>). [https://b.example](https://a.example/)',
    ],
  ])('%s', async (_, html, markdown) => {
    expect(await article(html)).toBe(markdown);
  });

  test('converts without scripts', async () => {
    const html =
      '<p onclick="alert(1)">甲</p><script>alert(1)</script><iframe srcdoc="<script>alert(1)</script>" src="https://a.example/"></iframe><moye-raw value="<script>alert(1)</script>"></moye-raw>';
    expect((await renderMarkdown(await article(html))).html).not.toMatch(/<script|alert\(1\)<|onclick/);
  });

  test('is refused where it nests deeper than the stack', async () => {
    await expect(article('<div>'.repeat(50_000))).rejects.toThrow(RangeError);
  });
});

describe('HTML of a comment', () => {
  test.each([
    ['<h2>题</h2><p>甲<img src="/b.png" alt="图"></p>', '**题**\n\n甲[图](https://old.example/b.png)'],
    [
      '<table><tr><td>甲</td></tr></table><iframe src="https://a.example/"></iframe>',
      '甲\n\n<https://a.example/>',
    ],
    ['<b>甲</b> <s>乙</s> H<sub>2</sub>O', '**甲** ~~乙~~ H2O'],
    ['<p># 不是标题</p>', '\\# 不是标题'],
  ])('%s', async (html, markdown) => {
    expect(await comment(html)).toBe(markdown);
  });
});

test('titles are plain text, whatever their stored form', () => {
  expect(wordsOf('甲 &amp;  乙<em>丙</em>&#8220;')).toBe('甲 & 乙丙“');
  expect(wordsOf(' 甲\n乙 ')).toBe('甲 乙');
});
