import { describe, expect, test } from 'vitest';
import { createEdgeRenderer } from '../../../src/lib/edge/rendering.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const { render, summarise } = createEdgeRenderer();
const AS_TYPED = '此处按原文显示';

describe('an ordinary article', () => {
  test('is what it is when it is saved', async () => {
    const source = '# 题\n\n文 **重点**，见[这里](https://a.cn)。\n\n```js\nconst a = 1;\n```\n';
    const { text: _, ...shown } = await renderMarkdown(source);
    expect(await render(source)).toEqual(shown);
  });

  test('a grammar that compiles slowly is skipped, the code is shown', async () => {
    const { html } = await render('```cpp\nint main() {}\n```');
    expect(html).toContain('int main() {}');
    expect(html).not.toContain('class="tk-');
  });
});

describe('an article made to keep the renderer busy', () => {
  test.each([
    ['brackets', ']'.repeat(20_000)],
    ['emphasis', 'a**b'.repeat(5_000)],
    ['single marks', 'a*'.repeat(10_000)],
    ['strikes', 'a~~b'.repeat(5_000)],
    ['underlined headings', 'a\n=\n'.repeat(5_000)],
    ['quotes that lazy lines go on', '> a\nb\n'.repeat(4_000)],
    ['sheer length', '- 甲\n'.repeat(50_000)],
    ['nesting', '>'.repeat(5_000)],
    ['nested tags', '<b>'.repeat(5_000)],
  ])('%s: is shown as it was typed', async (_, source) => {
    const { html, toc } = await render(`开头\n\n${source}`);
    expect(html).toContain(AS_TYPED);
    expect(html).toContain('<p>开头</p>');
    expect(toc).toEqual([]);
  });

  test('text shown as typed is escaped', async () => {
    const source = `<script>alert(1)</script>\n<img src=x onerror="alert(1)">&lt;\n\n${']'.repeat(20_000)}`;
    const { html } = await render(source);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;<br>&lt;img src=x onerror=&quot;');
    expect(html.match(/<(?!\/?(?:p|em|br)>)/)).toBeNull();
  });

  test('its opening in a list is plain text', () => {
    expect(summarise(`${'['.repeat(3)}${']'.repeat(9_000)}`)).toMatch(/^\[\[\[\]+…$/);
    expect(summarise('>'.repeat(900))).toMatch(/^>+…$/);
    expect(summarise('**甲** [乙](https://a.cn)')).toBe('甲 乙');
  });
});
