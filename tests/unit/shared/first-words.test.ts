import { expect, test } from 'vitest';
import { firstWords } from '../../../src/lib/shared/first-words.ts';

test.each([
  ['## 标题\n\n正文', '标题 正文'],
  ['> - 引用里的**列表**', '引用里的列表'],
  ['1. 第一\n2. 第二', '第一 第二'],
  ['![封面](/api/file/a.png) 看[这里](https://example.com)', '封面 看这里'],
  ['```js\nlet a\n```', 'let a'],
  ['-1 是负数，#话题 不是标题', '-1 是负数，#话题 不是标题'],
  ['| 列一 | 列二 |\n| --- | :-: |\n| 甲 | 乙 |', '列一 列二 甲 乙'],
  ['前。\n\n<!-- 我的改动 -->\n后：\n\n如下', '前。后：如下'],
  ['前\n\n<--阅读全文-->\n\n<b>后</b>', '前 后'],
  ['<!-- 没有写完', ''],
  ['::: tip\n提醒\n:::', '提醒'],
  ['用 `a | b` 与 a < b，x --> y', '用 a | b 与 a < b，x --> y'],
  [' \n\n ', ''],
  ['*一*、_二_、***三***、**四**、~~五~~、~六~', '一、二、三、四、五、六'],
  ['2 * 3 * 4，snake_case_name，\\*星号\\*，a\\_b', '2 * 3 * 4，snake_case_name，*星号*，a_b'],
  ['`a*b*c` 与 ``x ` y``', 'a*b*c 与 x ` y'],
  ['质能 $E=mc^2$，价格 $5 和 $6', '质能 E=mc^2，价格 $5 和 $6'],
  ['前\n\n$$\n\\sum_{i=1}^n i\n$$\n\n后', '前 后'],
  ['$$ a*b*c $$\n\n后，$$x_1$$ 在行里', '后，x_1 在行里'],
  ['前\n\n$$\n\\frac{没有写完', '前'],
  ['```mermaid\nflowchart LR\n  写 --> 读\n```\n\n先看图', '先看图'],
  ['~~~ Mermaid\ngraph TD\n```\n~~~\n后', '后'],
  ['- 图\n\n  ```mermaid\n  a --> b\n  ```\n- 后', '图 后'],
  ['```mermaid\ngraph 没有写完', ''],
  ['```py\n# 注释 *a*\nx = a * b\n```', '# 注释 *a* x = a * b'],
  ['脚注[^1]与[引用][a]、[a]\n\n[a]: https://example.com "题"\n[^1]: 注', '脚注与引用、a'],
  ['[维基](https://zh.wikipedia.org/wiki/A_(B) "题")，<https://a.b/c_d_e>', '维基，https://a.b/c_d_e'],
  ['- [x] 做完\n- [ ] 没做', '做完 没做'],
  ['> [!NOTE]\n> 留意', '留意'],
  ['题目\n===\n\n文\n\n* * *\n\n末', '题目 文 末'],
  ['墨\n: 黑色颜料', '墨 黑色颜料'],
  ['a\r\n\r\n```mermaid\r\ngraph\r\n```\r\n*b*', 'a b'],
])('%j is recognised by %j', (source, words) => {
  expect(firstWords(source)).toBe(words);
});

test('is cut after 80 characters, never within one', () => {
  const family = '👨‍👩‍👧';
  expect(firstWords(family.repeat(81))).toBe(`${family.repeat(80)}…`);
  expect(firstWords(family.repeat(80))).toBe(family.repeat(80));
});
