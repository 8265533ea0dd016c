import { describe, expect, test } from 'vitest';
import { repairLinks, RESIZED } from '../../../src/lib/importers/repair-links.ts';
import { unedited } from '../../../src/lib/markdown-file/edits.ts';

function repair(text: string): [string, string[]] {
  const told: string[] = [];
  return [repairLinks(unedited(text), (what) => told.push(what)).text, told];
}

describe('addresses with spaces', () => {
  test.each([
    ['![](图 片.png)', '![](<图 片.png>)'],
    ['![说 明](./图 片 (1).png "题 目")', '![说 明](<./图 片 (1).png> "题 目")'],
    ['![](C:\\My Pics\\a.png)', '![](<C:/My Pics/a.png>)'],
    ['![](a.png “题”)', '![](a.png "题")'],
    ['![](https://a.example/a.png 题)', '![](https://a.example/a.png "题")'],
    ['[见](我 的 笔记.md#一)', '[见](<我 的 笔记.md#一>)'],
    ['[![](图 片.png)](b.md)', '[![](<图 片.png>)](b.md)'],
  ])('%j', (text, expected) => {
    expect(repair(text)).toEqual([expected, []]);
  });
});

describe('sizes', () => {
  test.each([
    ['前![图](a.png =600x400)', '前<img src="a.png" alt="图" width="600" height="400">'],
    ['![](a.png =600x400)', '<p><img src="a.png" alt="" width="600" height="400"></p>'],
    ['字\n![](a.png "题" =600x)\n字', '字\n\n<p><img src="a.png" alt="" title="题" width="600"></p>\n\n字'],
    ['- ![](a b.png =x40)\n- 乙', '- <p><img src="a b.png" alt="" height="40"></p>\n\n- 乙'],
    [
      '甲![](https://a.example/a.png?x=1&y=2#pic_center =50%x)',
      '甲<img src="https://a.example/a.png?x=1&amp;y=2#pic_center" alt="" width="50%">',
    ],
    ['甲![图|300](a.png "题")', '甲<img src="a.png" alt="图" title="题" width="300">'],
  ])('%j', (text, expected) => {
    expect(repair(text)).toEqual([expected, [RESIZED]]);
  });
});

describe('other text stays', () => {
  test.each([
    '![](a.png)',
    '![图](a.png "题")',
    '[注](见 下文)',
    'f[0](a b)',
    '`![](图 片.png)`',
    '```\n![](a.png =600x400)\n```',
    '\\![](图 片.png)'.replace('!', ''),
    '{% codeblock %}\n![](a b.png)\n{% endcodeblock %}',
    '![a|b](c.png)',
  ])('%j', (text) => {
    expect(repair(text)).toEqual([text, []]);
  });

  test.each(['![](', '![](a ', '[', '![[[](', '![a](b =1x'])(
    '%j repeated terminates',
    { timeout: 60_000 },
    (piece) => {
      expect(repair(piece.repeat(200_000 / piece.length))[0].length).toBeGreaterThan(10_000);
    },
  );
});
