import { describe, expect, test } from 'vitest';
import { renderComment } from '../../../src/lib/markdown/comment.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const TAGS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p div section aside blockquote pre hr br ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
    'details summary figure figcaption a img input code kbd samp var tt b strong i em u s strike del ins mark small sub sup ' +
    'q cite abbr dfn time span center ruby rb rt rp bdi bdo wbr picture source ' +
    'math semantics mrow mi mo mn mtext mfrac mspace'
  ).split(' '),
);
const ATTRIBUTES =
  /^(id|title|lang|dir|href|name|rel|role|tabindex|class|src|alt|width|height|align|loading|fetchpriority|decoding|referrerpolicy|srcset|sizes|colspan|rowspan|open|start|value|reversed|datetime|type|checked|disabled|aria-[a-z]+|data-lang|data-footnote(s|-ref|-backref))$/;
const CLASSES =
  /^(anchor|callout(-[a-z]+)?|code(-block|-bar)?|table-scroll|frame|ems-\d+|zoom|footnotes|sr-only|task-list-item|contains-task-list|tk-[a-z])$/;

/** A video's frame: a document of ours, whose title and link are the only things that differ. */
const FRAME =
  /<iframe title="[^"]*" srcdoc="<!doctype html><html lang=&#x22;zh-CN&#x22;><head><title>[^"<]*<\/title><link rel=&#x22;stylesheet&#x22; href=&#x22;\/player.css&#x22;><\/head><body><a href=&#x22;https:\/\/player\.vimeo\.com\/video\/\d+\?autoplay=1&#x22; aria-label=&#x22;(?:(?!&#x22;)[^"])*&#x22;>播放<\/a><\/body><\/html>" loading="lazy" allow="[a-z; -]+" referrerpolicy="strict-origin-when-cross-origin"><\/iframe>/g;

/**
 * What is not allowed in `html`, judged from the bytes a browser gets and not from the sanitiser's settings:
 * an empty list is safe. The serialiser quotes every value, so a `<` that does not start a whole tag is a
 * fault too.
 */
function faultsOf(html: string): string[] {
  const tags = /<\/?([a-z0-9]+)((?: [^\s=>"]+(?:="[^"]*")?)*)>/g;
  const rest = html.replace(FRAME, '');
  const faults = [...rest.matchAll(tags)].flatMap(([tag, name = '', attributes = '']) => {
    const pairs = [...attributes.matchAll(/ ([^\s=>"]+)(?:="([^"]*)")?/g)];
    const isAllowed =
      TAGS.has(name) && pairs.every(([, key = '', value = '']) => isAllowedAttribute(name, key, value));
    return isAllowed ? [] : [tag];
  });
  const text = rest.replace(tags, '');
  return text.includes('<') ? [...faults, `stray < in ${text}`] : faults;
}

function isAllowedAttribute(tagName: string, key: string, value: string): boolean {
  if (!ATTRIBUTES.test(key)) return false;
  if (key === 'class') return value.split(' ').every((part) => CLASSES.test(part));
  // Ids without the prefix are ours: of headings and of the anchors in them.
  if (key === 'id') return /^(?:h\d|a)$/.test(tagName) || value.startsWith('user-content-');
  return (key !== 'href' && key !== 'src') || isSafe(value, key);
}

function isSafe(address: string, key: string): boolean {
  const plain = address.replaceAll('&#x26;', '&').replaceAll('&amp;', '&');
  const protocol = new URL(plain, 'https://here.invalid').protocol;
  return ['http:', 'https:', ...(key === 'href' ? ['mailto:'] : [])].includes(protocol);
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//e.vil/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img/src=x/onerror=alert(1)//',
  '<img src=x:x onerror\n=\nalert(1)>',
  '<img srcset="data:image/svg+xml,<svg onload=alert(1)>" src=x>',
  '<picture><source srcset="javascript:alert(1)"><img src=x></picture>',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1)></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x"/></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<textarea><img title="</textarea><img src onerror=alert(1)>"></textarea>',
  '<title><img title="</title><img src onerror=alert(1)>"></title>',
  '<xmp><img title="</xmp><img src onerror=alert(1)>"></xmp>',
  '<plaintext><img src onerror=alert(1)>',
  '<template><img src onerror=alert(1)></template>',
  '<select><option><img src onerror=alert(1)></select>',
  '<table><caption><script>alert(1)</script></table>',
  '<style>*{background:url(javascript:alert(1))}</style>',
  '<p style="position:fixed;inset:0">x</p>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  `<iframe src="https://vimeo.com/76979871" srcdoc="<script>alert(1)</script>" onload=alert(1)></iframe>`,
  `<iframe src="https://vimeo.com/76979871" title='"></title><script>alert(1)</script>'></iframe>`,
  `<iframe src="https://vimeo.com/76979871" title="&quot; onclick=alert(1) x=&quot;&#x22;>"></iframe>`,
  '<iframe src="https://player.vimeo.com/video/76979871?h=&quot;><script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction=javascript:alert(1)>x</button></form>',
  '<input type=image src=x onerror=alert(1)><input autofocus onfocus=alert(1)>',
  '<base href="//e.vil/"><link rel=stylesheet href=//e.vil/x.css><meta http-equiv=refresh content="0;url=//e.vil">',
  '<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<marquee onstart=alert(1)>x</marquee><body onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14;  javascript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a><a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript&colon;alert(1)">x</a>',
  '<a href="vbscript:x">x</a><a href="data:text/html,<script>alert(1)</script>">x</a><a href="blob:x">x</a>',
  '<a href="x" target="_blank" ping="//e.vil" download>x</a>',
  '[x](javascript:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x][y]\n\n[y]: javascript:alert(1) "t"',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x" onerror="alert(1)](x)',
  '[x](x "t\\" onmouseover=\\"alert(1)")',
  '```"><img/src/onerror=alert(1)>\nx\n```',
  '```js" onload="alert(1)\n</code></pre><script>alert(1)</script>\n```',
  '`<img src=x onerror=alert(1)>`',
  '::: tip <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n:::',
  '# <img src=x onerror=alert(1)>\n\n## "><script>alert(1)</script>',
  '[^"><script>alert(1)</script>]\n\n[^"><script>alert(1)</script>]: x',
  '<div class="page-header site-nav code" id="app">x</div><pre class="shiki">x</pre>',
  '<span class="tk-k">x</span><aside class="callout callout-tip" data-callout="x onload=1">x</aside>',
  '<img name=body><form name=cookie></form><a id=getElementById></a><input name=parentNode>',
  '<a id=x><a id=x name=y href="//e.vil">x</a></a>',
  '<p data-astro-cid-x data-island="1" slot="x" is="x" part="x" contenteditable autofocus accesskey=x tabindex=1>x</p>',
  '<astro-island component-url="//e.vil/x.js"></astro-island>',
  '<!--><script>alert(1)</script>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]><?php x ?><!DOCTYPE html>',
  '<b><i><u><a href=x><table><a href=javascript:alert(1)>x</table>',
  '<p><table><tr><p><svg><tr></table><script>alert(1)</script>',
  '\u0000<script>alert(1)</script><im\u0000g src=x onerror=alert(1)>',
];

describe('nothing an author writes runs as script or leaves the article', () => {
  test.each(ATTACKS)('%s', async (attack) => {
    for (const source of [
      attack,
      `一\n\n${attack}\n\n二`,
      `> - ${attack.replaceAll('\n', '\n>   ')}`,
      `前 ${attack} 后`,
    ]) {
      const { html } = await renderMarkdown(source);
      expect(faultsOf(html)).toEqual([]);
    }
  });

  test('all attacks in one article', async () => {
    expect(faultsOf((await renderMarkdown(ATTACKS.join('\n\n'))).html)).toEqual([]);
    expect(faultsOf((await renderMarkdown(ATTACKS.toReversed().join('\n\n'))).html)).toEqual([]);
  });

  test.each(ATTACKS)('nor who comments: %s', (attack) => {
    const quoted = `> - ${attack.replaceAll('\n', '\n>   ')}`;
    for (const source of [
      attack,
      `**一**\n\n${attack}\n\n二`,
      `**一**\n\n${quoted}`,
      `**前** ${attack} 后`,
    ]) {
      const html = renderComment(source);
      expect(faultsOf(html)).toEqual([]);
      expect(html).not.toMatch(
        /<(?!\/?(?:p|br|strong|em|del|code|pre|blockquote|ul|ol|li|a)[ >])|<[^>]* (?:id|name)=/,
      );
    }
  });

  test('this check would notice: a deliberately unsafe page has faults', () => {
    for (const html of [
      '<script>alert(1)</script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<p id="app">',
      '<p class="x">',
      'a < b',
    ]) {
      expect(faultsOf(html)).not.toEqual([]);
    }
  });

  test('classes of pages cannot be taken, nor ids and names', async () => {
    const { html } = await renderMarkdown('<div class="code" id="app"><span class="tk-k">x</span></div>');
    expect(html).toBe('<div id="user-content-app" dir="auto"><span>x</span></div>');
  });
});
