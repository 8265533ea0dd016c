import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';
import { TOKEN_CLASSES } from '../../../../src/lib/markdown/code/token-theme.ts';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** More grammars than stay loaded. */
const MANY = [
  'js',
  'ts',
  'java',
  'php',
  'cpp',
  'html',
  'vue',
  'tsx',
  'scss',
  'kotlin',
  'swift',
  'ruby',
  'scala',
];

test('evicted grammars free memory, and highlight as before', async () => {
  const round = async () => {
    const pages: string[] = [];
    for (const language of MANY) {
      const { html } = await renderMarkdown(fence(language, 'if (a) { return "x" + 1; } // end'));
      pages.push(html);
    }
    return { pages, megabytes: process.memoryUsage().external / 1e6 };
  };
  const { pages: first } = await round();
  const { megabytes: before } = await round();
  const { pages: last, megabytes: after } = await round();
  expect(last).toEqual(first);
  expect(after).toBeLessThan(before + 10);
}, 60_000);

describe('code is highlighted', () => {
  test.each([
    ['sh', 'if true; then echo "x"; fi'],
    ['yml', 'a: "x"'],
    ['js', 'const a = 1'],
    ['ts', 'const a: number = 1'],
    ['tsx', 'const a = <b>1</b>'],
    ['py', 'def f(): return 1'],
    ['c++', 'int main() { return 0; }'],
    ['C#', 'class A { int b = 1; }'],
    ['golang', 'func main() { return }'],
    ['rs', 'fn main() { return 1; }'],
    ['vue', '<template><p>x</p></template>'],
    ['JAVA', 'class A {}'],
    ['mysql', "SELECT 'x' FROM t"],
    ['html', '<p class="x">x</p>'],
    ['css', 'a { color: red }'],
    ['json', '{"a": 1}'],
    ['docker', 'FROM node:24'],
    ['diff', '+ a'],
  ])('%s', async (language, code) => {
    const { html } = await renderMarkdown(fence(language, code));
    expect(html).toContain('<span class="tk-');
    expect(html).toContain(`data-lang="${language.toLowerCase()}"`);
  });

  test.each(['plaintext', 'text', 'constructor', '__proto__', '没有这种语言', ''])(
    '%s stays plain',
    async (language) => {
      const { html } = await renderMarkdown(fence(language, 'class A {}'));
      expect(html).toContain('<code>class A {}\n</code>');
    },
  );

  test('very long code stays plain and whole', async () => {
    const code = 'let a = 1;\n'.repeat(3_000);
    const { html } = await renderMarkdown(fence('js', code));
    const pieces = Array.from(html.matchAll(/<code>([^<]*)<\/code>/g), ([, piece]) => piece);
    expect(pieces.join('')).toBe(`${code}\n`);
  });

  test('no character of the code is lost or changed', async () => {
    const code = 'const a = "<b>&amp;"; // 注释 👩‍🚀\n\n\tif (a < 1 && b > 2) { return `x${a}` }\n   ';
    const { html } = await renderMarkdown(fence('ts', code));
    const shown = /<code>(.*)<\/code>/s.exec(html)?.[1] ?? '';
    expect(
      shown
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#x3C;', '<')
        .replaceAll('&#x26;', '&'),
    ).toBe(`${code}\n`);
  });
});

describe('the colours', () => {
  const css = readFile(new URL('../../../../src/lib/markdown/code/code-tokens.css', import.meta.url), 'utf8');

  test('exist for every class, in both themes', async () => {
    for (const name of TOKEN_CLASSES) {
      const variable = new RegExp(`\\.${name} \\{\\s*color: var\\((--tk-[a-z]+)\\)`).exec(await css)?.[1];
      expect((await css).split(`${variable}: light-dark(#`)).toHaveLength(2);
    }
  });

  test.each(['light', 'dark'])('meet AA on their ground: %s', async (theme) => {
    const pairs = (await css).matchAll(/(--tk-[a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
    const colours = new Map(
      [...pairs].map(([, name, light, dark]) => [name, theme === 'light' ? light : dark]),
    );
    const ground = colours.get('--tk-bg') ?? '';
    expect(colours.size).toBe(14);
    for (const [name, hex = ''] of colours) {
      if (name !== '--tk-bg') expect([name, contrast(hex, ground) >= 4.5]).toEqual([name, true]);
    }
  });
});

/** Contrast ratio of WCAG 2, 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
