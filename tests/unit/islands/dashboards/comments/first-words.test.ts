import { expect, test } from 'vitest';
import { firstWords } from '../../../../../src/islands/dashboards/comments/first-words.ts';

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
])('%j is recognised by %j', (source, words) => {
  expect(firstWords(source)).toBe(words);
});

test('is cut after 80 characters, never within one', () => {
  const family = '👨‍👩‍👧';
  expect(firstWords(family.repeat(81))).toBe(`${family.repeat(80)}…`);
  expect(firstWords(family.repeat(80))).toBe(family.repeat(80));
});
