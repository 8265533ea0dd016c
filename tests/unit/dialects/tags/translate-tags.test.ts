import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Site } from '../../../../src/lib/dialects/tags/tag.ts';
import { translateTags } from '../../../../src/lib/dialects/tags/translate-tags.ts';

const FIXTURES = new URL('../../../fixtures/import/tags/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FIXTURES), 'utf8');

/** A site with the article `hello` and the code file `a.js`; `lost` receives the reported losses. */
function siteThat(lost: string[]): Site {
  return {
    post: (name) =>
      /(?:^|\/)(?:2019-08-07-)?hello(?:\.md)?$/.test(name) ? { address: '/detail/1', title: '你好' } : null,
    code: (path) => (path === 'a.js' ? '一\n二\n三\n四' : null),
    lose: (line, what) => lost.push(`${line} ${what}`),
  };
}

function translate(text: string): { text: string; lost: string[] } {
  const lost: string[] = [];
  return { text: translateTags(text, siteThat(lost), (line) => line + 1), lost };
}

test.each(['hexo', 'hexo-themes', 'hugo', 'jekyll'])(
  'tags of %s become markdown, the rest is told with its line',
  (name) => {
    const { text, lost } = translate(read(`${name}.md`));
    expect(text).toBe(read(`${name}.expected.md`));
    expect(`${lost.join('\n')}\n`).toBe(read(`${name}.lost.txt`));
  },
);

describe('a text without tags stays as it is', () => {
  test.each([
    '',
    '甲',
    '{',
    '{ % a % }',
    '{%',
    '{{',
    '{{}}',
    '{%%}',
    '{{ vue.msg }}',
    '$\\mathbf{{x}}$',
    '50{% 的 %}',
  ])('%j', (text) => {
    expect(translate(text)).toEqual({ text, lost: [] });
  });
});

describe('an invalid tag stays readable and is reported', () => {
  test.each([
    ['{% note info %}没有结尾', '`{% note info %}`没有结尾'],
    ['没有开头{% endnote %}', '没有开头`{% endnote %}`'],
    ['{% codeblock %}没有结尾', '`{% codeblock %}`没有结尾'],
    ['{% youtube <script> %}', '```text\n{% youtube <script> %}\n```'],
    ['甲 {% asset_img %}', '甲 `{% asset_img %}`'],
    ['{% a ` b %}乙', '``{% a ` b %}``乙'],
    ['{% note %}{% tabs %}{% endnote %}', '::: note\n`{% tabs %}`\n:::'],
    ['{{< figure >}}甲', '`{{< figure >}}`甲'],
  ])('%j', (text, expected) => {
    const { text: written, lost } = translate(text);
    expect(written).toBe(expected);
    expect(lost.length).toBeGreaterThan(0);
  });
});

test('a URL in a frame cannot escape its attribute', () => {
  expect(translate('{% iframe https://a.b/"><script>x</script> %}').text).not.toContain('<script>');
  expect(translate('{{< video src="https://a.b/\\"><script>.mp4" >}}').text).not.toContain('<script>');
});

describe('hostile text of 200 KB terminates', () => {
  test.each([
    '{%',
    '{% a %}',
    '{% note %}',
    '{% raw %}',
    '{{< tabs >}}',
    '`{% x',
    '`',
    '<!--',
    '{% endnote %}',
    '{{',
    '{{< figure src="',
    '{% a "',
    '    {% x %}\n',
    '> {% note %}\n',
    '```\n',
    '{% a b %}{% enda %}',
    '{% note %}x{% endnote %}',
    '{{ "',
    "{{ 'a' | ",
    '{%     ',
    '{% raw %}\n```\n{% endraw %}\n',
    '{% codeblock ` %}',
    '{% a \'b" ',
  ])('%j', { timeout: 60_000 }, (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    expect(translate(text).text.length).toBeGreaterThan(40_000);
  });
});
