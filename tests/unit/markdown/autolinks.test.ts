import { describe, expect, test } from 'vitest';
import { renderComment } from '../../../src/lib/markdown/comment.ts';
import { renderMarkdown, renderPreview } from '../../../src/lib/markdown/render.ts';

/** Returns the HTML of an article's only paragraph without attributes, as in its preview. */
async function linesOf(source: string): Promise<string> {
  const { html } = await renderMarkdown(source);
  expect((await renderPreview(source)).html).toBe(html);
  return plain(html);
}
const plain = (html: string): string =>
  html
    .replace(/<a href="([^"]*)"[^>]*>/g, '<a $1>')
    .replace(/<math>.*?<\/math>/gs, '<math>')
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replace(/^<p[^>]*>(.*)<\/p>$/s, '$1');

const A = '<a https://a.cn/b>https://a.cn/b</a>';

describe('text after a bare address is markdown', () => {
  test.each([
    ['见 https://a.cn/b，**重点**和`code`与$x$', `见 ${A}，<strong>重点</strong>和<code>code</code>与<math>`],
    ['https://a.cn/b，~~旧~~（[名](https://b.cn)）', `${A}，<del>旧</del>（<a https://b.cn>名</a>）`],
    ['https://a.cn/b。*好*', `${A}。<em>好</em>`],
    ['https://a.cn/b，_好_、__重__', `${A}，<em>好</em>、<strong>重</strong>`],
    ['https://a.cn/b、https://a.cn/b；www.c.cn。', `${A}、${A}；<a http://www.c.cn>www.c.cn</a>。`],
    ['www.a.cn，**好**', '<a http://www.a.cn>www.a.cn</a>，<strong>好</strong>'],
    ['，www.a.cn。**好**', '，<a http://www.a.cn>www.a.cn</a>。<strong>好</strong>'],
    ['https://a.cn/b…<b>好</b>', `${A}…<b>好</b>`],
    ['https://a.cn/b，&lt;\\*', `${A}，&#x3C;*`],
  ])('%s', async (source, html) => {
    expect(await linesOf(source)).toBe(html);
  });

  test('in comments', () => {
    expect(plain(renderComment('见 https://a.cn/b，**重点**和`code`'))).toBe(
      `见 ${A}，<strong>重点</strong>和<code>code</code>`,
    );
  });
});

describe('a bare address ends before Chinese letters that follow Latin ones', () => {
  test.each([
    ['看 https://a.cn/b了解更多', `看 ${A}了解更多`],
    ['中文https://a.cn英文', '中文<a https://a.cn>https://a.cn</a>英文'],
    ['https://a.cn:8080端口', '<a https://a.cn:8080>https://a.cn:8080</a>端口'],
    ['https://a.cn/b和https://a.cn/b两处', `${A}和${A}两处`],
    ['www.a.cn看**好**', '<a http://www.a.cn>www.a.cn</a>看<strong>好</strong>'],
    ['https://a.cn/bのページ', `${A}のページ`],
    ['**https://a.cn/b了解**', `<strong>${A}了解</strong>`],
    ['[名](https://a.cn中文)', '<a https://a.cn%E4%B8%AD%E6%96%87>名</a>'],
  ])('%s', async (source, html) => {
    expect(await linesOf(source)).toBe(html);
  });
});

describe('marks and punctuation around an address are not part of it', () => {
  test.each([
    ['**https://a.cn/b**，好', `<strong>${A}</strong>，好`],
    ['~~https://a.cn/b~~。', `<del>${A}</del>。`],
    ['*https://a.cn/b*（好）', `<em>${A}</em>（好）`],
    ['(https://a.cn/b)，好', `(${A})，好`],
    ['https://a.cn/b.，好', `${A}.，好`],
    ['https://a.cn/(b)，好', '<a https://a.cn/(b)>https://a.cn/(b)</a>，好'],
    ['https://a.cn/b?c=1&amp;，好', '<a https://a.cn/b?c=1>https://a.cn/b?c=1</a>&#x26;，好'],
    ['https://a.cn/路径，好', '<a https://a.cn/%E8%B7%AF%E5%BE%84>https://a.cn/路径</a>，好'],
  ])('%s', async (source, html) => {
    expect(await linesOf(source)).toBe(html);
  });
});

describe('as GFM has it', () => {
  test.each([
    ['[名](https://a.cn/，好)', '<a https://a.cn/%EF%BC%8C%E5%A5%BD>名</a>'],
    ['<https://a.cn/，好>', '<a https://a.cn/%EF%BC%8C%E5%A5%BD>https://a.cn/，好</a>'],
    ['https://，好', 'https://，好'],
    ['www.x@a.cn，好', '<a mailto:www.x@a.cn>www.x@a.cn</a>，好'],
    ['http@a.cn，好', '<a mailto:http@a.cn>http@a.cn</a>，好'],
    ['xhttps://a.cn/b，好', 'xhttps://a.cn/b，好'],
    ['`https://a.cn/b，好`', '<code>https://a.cn/b，好</code>'],
  ])('%s', async (source, html) => {
    expect(await linesOf(source)).toBe(html);
  });
});

test.each(['https://a，', 'https://a.', 'https://', 'www.a，', '[https://a，'])(
  '%s repeated is refused or rendered',
  async (piece) => {
    const rendered = await renderMarkdown(piece.repeat(20_000 / piece.length)).catch(() => null);
    expect(rendered === null || rendered.text.length > 1_000).toBe(true);
  },
);
