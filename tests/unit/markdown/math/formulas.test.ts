import { describe, expect, test } from 'vitest';
import { renderComment } from '../../../../src/lib/markdown/comment.ts';
import { DIAGRAM_LIMITS, FORMULA_LIMITS } from '../../../../src/lib/markdown/limits.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';

const mermaid = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
const countOf = (html: string, mark: string) => html.split(mark).length - 1;

describe('a formula', () => {
  test('is its TeX, once, in text, summary, table of contents and slug', async () => {
    const { text, summary, toc } = await renderMarkdown('## 关于 $x^2$\n\n由 $\\frac{a}{b}$ 得。');
    expect(text).toBe('关于 x^2\n由 \\frac{a}{b} 得。');
    expect(summary).toBe('由 \\frac{a}{b} 得。');
    expect(toc).toMatchObject([{ text: '关于 x^2', slug: '关于-x2' }]);
  });

  test('is none in a comment', () => {
    expect(renderComment('**粗** $x$')).toBe('<p><strong>粗</strong> $x$</p>');
  });

  test.each([
    ['nested without end', `$${'\\sqrt{'.repeat(500)}x${'}'.repeat(500)}$`],
    ['too long', `$x${'+x'.repeat(FORMULA_LIMITS.formula / 2)}$`],
    ['defining itself', '$\\def\\a{\\a\\a}\\a$'],
    ['renewing a command', '$\\renewcommand{\\frac}{x}\\frac$'],
    ['opening only', `$${'\\left('.repeat(600)}$`],
  ])('%s stays TeX and says why', async (_, source) => {
    const { html } = await renderMarkdown(source);
    expect(html).not.toContain('<math');
    expect(html).toMatch(/<code class="math-error" title="[^"]*公式/);
  });

  test('beyond the limit per article stays TeX', async () => {
    const source = Array.from({ length: FORMULA_LIMITS.formulas + 5 }, (_, index) => `$x_{${index}}$`).join(
      '\n',
    );
    const { html } = await renderMarkdown(source);
    expect(countOf(html, '<math')).toBe(FORMULA_LIMITS.formulas);
    expect(countOf(html, '公式太多')).toBe(5);
  });

  test.each([
    ['short', 'a+b=c', []],
    [
      'long in its source only',
      '\\operatorname{a}+\\operatorname{b}+\\operatorname{c}+\\operatorname{d}',
      [],
    ],
    ['of many terms', Array(30).fill('a').join('+'), ['wide']],
    ['of many rows', `\\begin{aligned}${'a&=b+c\\\\'.repeat(30)}\\end{aligned}`, []],
    ['a high fraction', `\\frac{${'a+'.repeat(12)}b}{${'a+'.repeat(12)}b}`, []],
    [
      'a wide matrix',
      `M=\\begin{pmatrix}${Array(8).fill('\\sin(a+b)').join('&')}\\end{pmatrix}`,
      ['wide', 'dense'],
    ],
    ['a long fraction', `\\frac{${'a+'.repeat(30)}b}{2}`, ['wide', 'dense']],
    [
      'wide in different columns',
      `\\begin{matrix}${'a'.repeat(30)}&b\\\\a&${'b'.repeat(30)}\\end{matrix}`,
      ['wide', 'dense'],
    ],
  ])('%s is wide, and dense if the width cannot be broken', async (_, tex, classes) => {
    const { html } = await renderMarkdown(`$$\n${tex}\n$$`);
    expect(html).toContain(
      `<div class="${['formula', ...classes.map((each) => `formula-${each}`)].join(' ')}"`,
    );
  });

  test('leaves no state for the next', async () => {
    await renderMarkdown('$\\gdef\\foo{1}$ $\\color{red}$');
    expect((await renderMarkdown('$\\foo$')).html).toContain('不认识命令');
  });
});

describe('a diagram', () => {
  test.each([
    [
      'of a thousand boxes',
      Array.from({ length: 1_000 }, (_, index) => `a${index}-->a${index + 1}`).join('\n'),
    ],
    ['of all with all', 'a&b&c&d&e&f&g&h&i&j&k&l&m-->n&o&p&q&r&s&t&u&v&w&x&y&z'],
    [
      'in groups without end',
      `${'subgraph g\n'.repeat(DIAGRAM_LIMITS.depth + 1)}a-->b\n${'end\n'.repeat(7)}`,
    ],
    ['with a label like a book', `a["${'长'.repeat(4_000)}"]`],
    ['half written', 'a -->'],
  ])('%s stays code', async (_, lines) => {
    const { html } = await renderMarkdown(mermaid(`graph TD\n${lines}`));
    expect(html).not.toContain('<svg');
    expect(html).toContain('data-lang="mermaid"');
  });

  test('has every box and link once, in any notation', async () => {
    for (const lines of [
      'a-->b\nb-->c',
      'a-->b-->c',
      'a ---> b --- c',
      'a-- 是 -->b;b-.->|否|c',
      '甲-->乙-->丙',
    ]) {
      const { html } = await renderMarkdown(mermaid(`graph TD\n${lines}`));
      expect([lines, countOf(html, '<polyline points'), countOf(html, ' rx="0"')]).toEqual([lines, 2, 3]);
    }
  });

  test('beyond the line limit per article stays code', async () => {
    const long = `graph TD\n${Array.from({ length: 60 }, (_, index) => `a${index % 9}-->b${index % 7}`).join('\n')}`;
    const { html } = await renderMarkdown(Array.from({ length: 8 }, () => mermaid(long)).join('\n\n'));
    expect(countOf(html, '<svg')).toBe(Math.floor(DIAGRAM_LIMITS.articleLines / 62));
  });

  test('has marker ids of its own', async () => {
    const { html } = await renderMarkdown(`${mermaid('graph TD\na-->b')}\n\n${mermaid('graph TD\na-->b')}`);
    const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/url\(#([^)]*)\)/g)) expect(ids).toContain(id);
  });
});
