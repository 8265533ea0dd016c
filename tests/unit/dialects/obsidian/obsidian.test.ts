import { describe, expect, test } from 'vitest';
import { translateObsidian } from '../../../../src/lib/dialects/obsidian/obsidian.ts';
import { unedited } from '../../../../src/lib/markdown-file/edits.ts';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';

const NOTES = new Map([
  ['文', '../笔记/文.md'],
  ['笔记/文', '../笔记/文.md'],
  ['v1.2', 'v1.2.md'],
]);
const FILES = new Map([
  ['图.png', '附件/图.png'],
  ['手册.pdf', '附件/手册.pdf'],
]);

function translate(text: string, isVault = true): { text: string; lost: string[] } {
  const lost: string[] = [];
  const edited = translateObsidian(unedited(text), {
    isVault,
    note: (name) => NOTES.get(name) ?? null,
    file: (name) => FILES.get(name) ?? null,
    lose: (line, what) => lost.push(`${line + 1} ${what}`),
  });
  return { text: edited.text, lost };
}

describe('links by name become markdown', () => {
  test.each([
    ['见[[文]]。', '见[文](../笔记/文.md)。'],
    ['[[文]][[v1.2]]', '[文](../笔记/文.md)[v1.2](v1.2.md)'],
    ['见[[文|名字]]。', '见[名字](../笔记/文.md)。'],
    ['[[笔记/文]]', '[文](../笔记/文.md)'],
    ['[[文#第二 节]]', '[文 › 第二 节](../笔记/文.md#第二-节)'],
    ['[[文#一#二|名]]', '[名](../笔记/文.md#二)'],
    ['[[#本页 的 Section A]]', '[本页 的 Section A](#本页-的-section-a)'],
    ['[[v1.2]]', '[v1.2](v1.2.md)'],
    ['| [[文\\|名]] | a |\n| - | - |', '| [名](../笔记/文.md) | a |\n| - | - |'],
    ['[[图.png]]', '[图.png](附件/图.png)'],
    ['![[图.png]]', '![](附件/图.png)'],
    ['![[图.png|一张图]]', '![一张图](附件/图.png)'],
    ['前![[图.png|300]]后', '前<img src="附件/图.png" alt="" width="300">后'],
    ['![[图.png|一张图|300x200]]', '<p><img src="附件/图.png" alt="一张图" width="300" height="200"></p>'],
    ['| ![[图.png\\|100]] |\n| - |', '| <img src="附件/图.png" alt="" width="100"> |\n| - |'],
    ['![[没有.png]]', '![](没有.png)'],
  ])('%j', (text, expected) => {
    expect(translate(text)).toEqual({ text: expected, lost: [] });
  });

  test.each([
    ['`[[文]]` `^[0-9]`'],
    ['```\nLIKE ^[0-9]\n```'],
    ['```\n[[文]] ==亮==\n> [!faq]\n```'],
    ['\\[[文]]'],
    ['[[1]](https://a.example)'],
    ['[[1,2],[3,4]]'],
    ['{% raw %}[[文]]{% endraw %}'],
  ])('%j stays', (text) => {
    expect(translate(text)).toEqual({ text, lost: [] });
  });
});

describe('what a page cannot show is told with its line', () => {
  test.each([
    ['甲\n[[没有|名]]', '甲\n名', '2 找不到链接的文章，只留下文字：[[没有|名]]'],
    ['[[文#^a1b2]]', '[文 › a1b2](../笔记/文.md)', '1 指向段落的链接改为指向全文：[[文#^a1b2]]'],
    ['![[文]]', '[文](../笔记/文.md)', '1 嵌入的笔记改成了链接：![[文]]'],
    ['![[手册.pdf]]', '（附件没有导入：`手册.pdf`）', '1 附件没有导入，文中留下说明：![[手册.pdf]]'],
    ['> [!recipe] 面\n> 水', '::: note 面\n水\n:::', '1 看不懂的标注 [!recipe]，按“说明”导入'],
    ['```dataview\nlist\n```', '```dataview\nlist\n```', '1 Obsidian 插件的代码块，保留为代码：dataview'],
    ['字^[注]', '字^[注]', '1 行内脚注，保留原样：^[注]'],
  ])('%j', (text, expected, lost) => {
    expect(translate(text)).toEqual({ text: expected, lost: [lost] });
  });

  test('lines are those of the file, after edits that add or remove lines', () => {
    const { lost } = translate('一\n![[图.png|30]]\n二\n> [!faq]\n> [[没有]]\n\n[[也没有]]');
    expect(lost.map((each) => each.split(' ')[0])).toEqual(['5', '7']);
  });
});

describe('outside of a vault only what nothing else means is read', () => {
  test.each([
    ['[[文|名]] ![[图.png]]', '[名](../笔记/文.md) ![](附件/图.png)', []],
    ['a ==b== [[ -f x ]] [[$x]]', 'a ==b== [[ -f x ]] [[$x]]', []],
    ['a[[0]] [[1]][2]', 'a[[0]] [[1]][2]', []],
    ['[[没有]]', '[[没有]]', ['1 看不懂的链接，保留原样：[[没有]]']],
    ['> [!faq]- 问\n> 答', '::: details 问\n答\n:::', []],
  ])('%j', (text, expected, lost) => {
    expect(translate(text, false)).toEqual({ text: expected, lost });
  });
});

describe('highlights', () => {
  test.each([
    ['这是==亮的**字**==。', '这是<mark>亮的**字**</mark>。'],
    ['==两\n行== 和 ==又== ^abc123', '<mark>两\n行</mark> 和 <mark>又</mark>'],
    ['a == b == c，x ===y===', 'a == b == c，x ===y==='],
    ['$a==b==c$ 和 `==码==`', '$a==b==c$ 和 `==码==`'],
    ['https://a.example/?a==b==c', 'https://a.example/?a==b==c'],
    ['==没有\n\n配对==', '==没有\n\n配对=='],
    ['标题\n==\n\n字 ^2', '标题\n==\n\n字 ^2'],
  ])('%j', (text, expected) => {
    expect(translate(text).text).toBe(expected);
  });
});

const KINDS =
  'note abstract summary tldr info todo tip hint important success check done question help faq warning caution attention failure fail missing danger error bug example quote cite'.split(
    ' ',
  );

describe('callouts', () => {
  test.each([
    ['> [!faq]- 问\n> 答\n> > 引', '::: details 问\n答\n> 引\n:::'],
    ['> [!abstract]+\n> 文', '::: note 摘要\n文\n:::'],
    ['> [!tip] 名\n文（续行）', '::: tip 名\n文（续行）\n:::'],
    ['> [!quote] 某人\n> 话', '> **某人**\n>\n> 话'],
    ['> [!cite]\n> 话', '> \n> 话'],
    ['> [!bug|left] **坏** 了', '::: danger 坏 了\n:::'],
    ['> [!faq] 一\n> > [!todo] 二\n> > 三', ':::: info 一\n::: info 二\n三\n:::\n::::'],
    ['- 项\n\n  > [!bug] 坏\n  > 文', '- 项\n\n  ::: danger 坏\n  文\n  :::'],
    ['- > [!bug] 坏\n  > 文', '- ::: danger 坏\n  文\n  :::'],
    ['> 外\n> > [!bug] 坏\n> > 文\n>\n> 外', '> 外\n> ::: danger 坏\n> 文\n> :::\n>\n> 外'],
    ['> [!bug] 坏\n> ```js\n> a()', '::: danger 坏\n```js\na()\n```\n:::'],
    ['> [!bug] 坏\n> | a |\n> | - |', '::: danger 坏\n| a |\n| - |\n\n:::'],
    ['> [!NOTE]\n> 这里自己能读', '> [!NOTE]\n> 这里自己能读'],
    ['> 普通引用 [!bug]', '> 普通引用 [!bug]'],
  ])('%j', (text, expected) => {
    expect(translate(text).text).toBe(expected);
  });

  test.each(KINDS.flatMap((kind) => ['', '-', '+'].map((fold) => [kind, fold])))(
    '[!%s]%s is shown as a callout with its text',
    async (kind, fold) => {
      const { text, lost } = translate(`前文\n\n> [!${kind}]${fold} 标题在此\n> 第一段\n>\n> - 列表\n\n后文`);
      expect(lost).toEqual([]);
      const { html } = await renderMarkdown(text);
      expect(html).toContain('标题在此');
      expect(html).not.toMatch(/\[!|:::/);
      const box = kind === 'quote' || kind === 'cite' ? 'blockquote' : 'aside';
      const [inside = ''] =
        new RegExp(`<${fold === '-' ? 'details' : box}[^]*</(?:details|${box})>`).exec(html) ?? [];
      expect(inside).toContain('第一段');
      expect(inside).toContain('<li>列表</li>');
      expect(inside).not.toContain('后文');
    },
  );
});

describe('hostile text terminates', () => {
  test.each<[string, number?]>([
    ['[['],
    ['![[a|'],
    ['=='],
    ['==a'],
    ['> [!faq] a\n'],
    ['> '],
    // The parser compares each lazy line with all tokens before it.
    ['> [!bug] a\n> b\n> ', 20_000],
    ['^['],
    ['[[a]]\n'],
    ['$a==b'],
    ['`=='],
    [' ^abcd1\n'],
  ])('%j', { timeout: 60_000 }, (piece, size = 200_000) => {
    const text = piece.repeat(size / piece.length);
    try {
      expect(translate(text).text.length).toBeGreaterThan(size / 20);
    } catch (error) {
      expect(error).toMatchObject({ name: 'Problem' });
    }
  });
});
