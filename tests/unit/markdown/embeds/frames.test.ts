import { describe, expect, test } from 'vitest';
import { feedHtml } from '../../../../src/lib/markdown/feed-html.ts';
import { PLAYER_ORIGINS, videoAt } from '../../../../src/lib/markdown/embeds/players.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';

const BV = 'BV1GJ411x7h7';
const playerIn = (html: string) =>
  /<a href="([^"]*)"/.exec(/srcdoc="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#x22;', '"') ?? '')?.[1];

describe('a video', () => {
  test.each([
    [`//player.bilibili.com/player.html?aid=1&bvid=${BV}&cid=3&page=2&high_quality=1`, `bvid=${BV}&p=2`],
    [`https://www.bilibili.com/blackboard/html5mobileplayer.html?aid=170001`, 'aid=170001'],
    [`https://www.bilibili.com/video/${BV}/?p=2&t=30`, `bvid=${BV}&p=2&t=30`],
    ['https://v.qq.com/txp/iframe/player.html?vid=d0025ze0z4u', 'vid=d0025ze0z4u'],
    ['http://v.qq.com/x/cover/abc/d0025ze0z4u.html', 'vid=d0025ze0z4u'],
    ['http://player.youku.com/embed/XMTg2NDg0NjI0MA==', 'embed/XMTg2NDg0NjI0MA=='],
    ['https://v.youku.com/v_show/id_XMTg2NDg0NjI0MA==.html', 'embed/XMTg2NDg0NjI0MA=='],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0&start=42', 'embed/dQw4w9WgXcQ?autoplay=1&start=42'],
    ['https://youtu.be/dQw4w9WgXcQ', 'embed/dQw4w9WgXcQ?'],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'embed/dQw4w9WgXcQ?'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', 'video/76979871?autoplay=1&h=8272103f6e'],
    ['https://vimeo.com/76979871', 'video/76979871?'],
  ])('%s plays at its site alone', (address, part) => {
    const video = videoAt(address);
    expect(video?.player).toContain(part);
    expect(PLAYER_ORIGINS).toContain(new URL(video?.player ?? '').origin);
    // The page of a video must map back to its player.
    expect(new URL(videoAt(video?.page ?? '')?.player ?? '').pathname).toBe(
      new URL(video?.player ?? '').pathname,
    );
  });

  test.each([
    'https://player.bilibili.com/player.html?bvid=x"><script>',
    'https://evil.example/player.bilibili.com/player.html?bvid=BV1GJ411x7h7',
    'https://www.youtube.com.evil.example/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/embed/../dQw4w9WgXcQ',
    'https://player.vimeo.com/video/abc',
    'javascript:alert(1)//player.bilibili.com',
    'https://music.163.com/outchain/player?type=2&id=28',
  ])('%s is none', (address) => expect(videoAt(address)).toBeNull());

  test('waits for a click in a document of this site', async () => {
    const { html, text } = await renderMarkdown(
      `<iframe src="//player.bilibili.com/player.html?bvid=${BV}&autoplay=1" title="一支曲子"></iframe>`,
    );
    expect(html).toMatch(/^<figure class="frame"[^>]*><iframe title="一支曲子" srcdoc="/);
    expect(html).not.toMatch(/<iframe[^>]* src=/);
    expect(playerIn(html)?.replaceAll('&#x26;#x26;', '&')).toContain(
      `https://player.bilibili.com/player.html?bvid=${BV}`,
    );
    expect(html).toContain(
      `<figcaption><a href="https://www.bilibili.com/video/${BV}" rel="noopener nofollow ugc">一支曲子</a><span>bilibili.com</span></figcaption>`,
    );
    expect(text).toBe('一支曲子');
  });

  test('of an article with hundreds: the first thirty play in it, the others are links', async () => {
    const { html } = await renderMarkdown(
      `<iframe src="https://vimeo.com/76979871"></iframe>\n\n`.repeat(100),
    );
    expect(html.match(/<iframe/g)).toHaveLength(30);
    expect(html.match(/<figure class="frame"/g)).toHaveLength(100);
  });
});

describe('a frame of another site', () => {
  test.each([
    ['<iframe src="https://codepen.io/x/embed/y?a=1&b=2" title="一支笔"></iframe>', '一支笔', 'codepen.io'],
    ['<embed src="https://example.com/a.swf">', '嵌入的页面', 'example.com'],
    ['<object data="http://example.com/a.pdf"><p>旧的</p></object>', '嵌入的页面', 'example.com'],
    ['<video controls src="https://example.com/a.mp4">看不了</video>', '视频', 'example.com'],
    ['<audio><source src="https://example.com/a.mp3"></audio>', '音频', 'example.com'],
    [
      '<iframe src="https://music.163.com/outchain/player?type=2&id=28"></iframe>',
      '嵌入的页面',
      'music.163.com',
    ],
  ])('%s is a card that says where it leads', async (source, title, host) => {
    const { html } = await renderMarkdown(`前\n\n${source}\n\n后`);
    expect(html).toMatch(
      new RegExp(
        `<figure class="frame"[^>]*><figcaption><a href="https?://${host}/[^"]*" rel="noopener nofollow ugc">${title}</a><span>${host}</span></figcaption></figure>`,
      ),
    );
    expect(html).not.toMatch(/<(?:iframe|video|audio|embed|object)/);
  });

  test('splits a paragraph, and is a link within a link or heading', async () => {
    const frame = '<iframe src="https://example.com/a" title="甲"></iframe>';
    const { html } = await renderMarkdown(`前${frame}后\n\n## 题${frame}`);
    expect(html).toMatch(/^<p[^>]*>前<\/p>\s*<figure class="frame".*<\/figure>\s*<p[^>]*>后<\/p>/s);
    expect(html).toMatch(/<h2[^>]*>[^]*题<a href="https:\/\/example.com\/a"[^>]*>甲<\/a>/);
  });

  test.each([
    '<iframe></iframe>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<iframe src="data:text/html,x"></iframe>',
    '<video src="blob:x"></video>',
    '<iframe src="demo/index.html"></iframe>',
  ])('%s leaves nothing', async (source) => {
    const { html } = await renderMarkdown(`前 ${source}`);
    expect(html.replace(/<[^>]*>/g, '').trim()).toBe('前');
    expect(html).not.toContain('frame');
  });

  test('also works in JSX, and removes no text when unclosed', async () => {
    const { html, text } = await renderMarkdown(
      '<iframe title="甲" src="https://example.com/a" />\n\n写在 <video src="https://example.com/b"> 后的字\n\n第二段',
    );
    expect(html).toContain('<a href="https://example.com/a"');
    expect(text).toBe('甲\n写在 <video src="https://example.com/b"> 后的字\n第二段');
  });

  test.each([
    '<figure data-frame><figcaption>字</figcaption></figure>',
    '<figure data-frame><script>alert(1)</script></figure>',
    '<figure data-frame><figcaption><a href="/x">字</a></figcaption></figure>',
  ])('the form of a card in an author’s HTML makes none: %s', async (source) => {
    const { html } = await renderMarkdown(source);
    expect(html).not.toMatch(/data-frame|<iframe|class="frame"/);
  });

  test('is only a link in feeds', async () => {
    const { html } = await renderMarkdown(`<iframe src="https://vimeo.com/76979871" title="片子"></iframe>`);
    expect(feedHtml(html, 'https://blog.example/detail/1')).toBe(
      '<figure dir="auto"><figcaption><a href="https://vimeo.com/76979871" rel="noopener nofollow ugc">片子</a>vimeo.com</figcaption></figure>',
    );
  });
});
