import type { Page } from '@playwright/test';
import { describe, expect } from 'vitest';
import { test as base } from './fixtures.ts';

/**
 * Threat 1 of SECURITY.md: user content never executes wherever it is shown, with and without the
 * Content-Security-Policy.
 */
const VECTORS = [
  '<script>alert(1)</script>',
  '<ScRiPt/x>alert(1)</ScRiPt>',
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  '</script><script>alert(1)</script>',
  '</title><svg/onload=alert(1)>',
  '<img src=x onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<svg onload=alert(1)><g/onload=alert(1)></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg onload=alert(1)>#x">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<iframe src="javascript:parent.alert(1)"></iframe>',
  `<iframe src="https://vimeo.com/76979871" title='"></title><script>parent.alert(1)</script>'></iframe>`,
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>go</button></form>',
  '<base href="javascript:alert(1)//"><a href="/x">x</a>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<style>@import "javascript:alert(1)";</style>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](javascript:alert(1))',
  '![x"onerror="alert(1)](x)',
  '[x](x "onmouseover=alert(1) ")',
  '<javascript:alert(1)>',
  '`<img src=x onerror=alert(1)>`',
  '<xss style="animation:x" onanimationstart=alert(1)>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<img srcset="javascript:alert(1)" src=x onerror="alert(1)">',
  '<form id=x><input name=attributes><input onfocus=alert(1) autofocus></form>',
  '<img name=getElementById><a id=document>x</a>',
  '<template><script>alert(1)</script></template>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028<script>alert(1)</script>',
];

const test = base
  /** Every page that shows user content. */
  .extend('paths', { scope: 'file' }, async ({ site }) => {
    const { viewer } = await site.join('作者');
    const reader = await site.join('读者');
    await site.app.services.users.updateBio(viewer, VECTORS.slice(0, 8).join(' '));
    const visible = (text: string, limit: number) => [...text.replace('\u2028', '')].slice(0, limit).join('');
    const ids: string[] = [];
    for (const vector of VECTORS) {
      const tags = [visible(vector, 30), '随笔'];
      const title = visible(vector, 120);
      const content = `${vector}\n\n正文 ${vector} 结尾\n\n| ${vector} |\n| --- |\n\n> ${vector}\n\n\`\`\`html\n${vector}\n\`\`\``;
      const id = await site.write(viewer, { title, tags, content });
      const { comments } = site.app.services;
      const comment = { content: vector, page_id: id, reply_user: '', reply_content: '', request_id: '' };
      await comments.create(comment, viewer);
      const marked = `**一** ${vector}\n\n> ${vector}\n\n- [${vector}](${vector})\n\n\`\`\`${vector}\n${vector}\n\`\`\``;
      await comments.create({ ...comment, content: marked }, viewer);
      const reply = { ...comment, reply_user: '作者', reply_content: vector };
      const { reply_content } = await comments.create(reply, reader.viewer);
      if (reply_content !== vector) throw new Error('the quote was not kept');
      ids.push(id);
    }
    return [
      ...ids.map((id) => `/detail/${id}`),
      ...VECTORS.map((vector) => `/home/${encodeURIComponent(visible(vector, 60))}`),
      ...VECTORS.map((vector) => `/tag/detail/${encodeURIComponent(visible(vector, 30).trim())}`),
      ...Array.from({ length: 5 }, (_, page) => `/home?page=${page + 1}`),
      '/home/alert',
      '/tag/list',
      '/user/info/作者',
    ];
  })
  /** Opens a page that records executed scripts. */
  .extend('openProbe', ({ browser, site }, { onCleanup }) => {
    const contexts = new AsyncDisposableStack();
    onCleanup(() => contexts.disposeAsync());
    return async (bypassCSP: boolean) => {
      const context = await browser.newContext({ baseURL: site.url, bypassCSP });
      contexts.defer(() => context.close());
      await context.addInitScript(() => {
        const probe = globalThis as unknown as { fired: string[]; alert: () => void };
        probe.fired = [];
        probe.alert = () => void probe.fired.push(location.href);
      });
      return context.newPage();
    };
  });

/**
 * Returns everything in the page that ran or would run on interaction: dialogs, event handler attributes,
 * script URLs, and scripts of documents inside attributes.
 */
async function executions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const fired = (globalThis as unknown as { fired: string[] }).fired;
    const isScript = ({ name, value }: Attr) =>
      /^on/i.test(name) ||
      (/^(?:xlink:)?href$|^(?:src|action|formaction|data)$/i.test(name) && /^\W*javascript:/i.test(value));
    const riskyIn = (root: ParentNode): string[] =>
      [...root.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes].flatMap((attribute) => {
          const { name, value } = attribute;
          if (isScript(attribute)) return [`<${element.tagName.toLowerCase()} ${name}="${value}">`];
          if (name !== 'srcdoc') return [];
          const held = new DOMParser().parseFromString(value, 'text/html');
          const scripts = [...held.querySelectorAll('script')].map((script) => script.outerHTML);
          return [...scripts, ...riskyIn(held)];
        }),
      );
    return [...fired, ...riskyIn(document)];
  });
}

describe('stored scripts', () => {
  test('the probe detects an unsafe page', async ({ openProbe }) => {
    const page = await openProbe(true);
    await page.goto('/404');
    await page.evaluate((vector) => {
      document.body.innerHTML = vector;
    }, '<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><iframe loading="lazy" srcdoc="<script>1</script><p onclick=alert(1)>"></iframe>');
    await page.waitForFunction(() => (globalThis as unknown as { fired: string[] }).fired.length > 0);
    expect(await executions(page)).toHaveLength(5);
  });

  test.for([
    ['under the policy', false],
    ['even without the policy', true],
  ] as const)('never run %s', { timeout: 400_000 }, async ([, bypassCSP], { paths, openProbe }) => {
    const page = await openProbe(bypassCSP);
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      const response = await page.goto(path, { waitUntil: 'load' });
      expect(response?.status(), path).toBeLessThan(500);
      const ran = await executions(page);
      if (ran.length > 0) found[path] = ran;
    }
    expect(found).toEqual({});
  });
});
