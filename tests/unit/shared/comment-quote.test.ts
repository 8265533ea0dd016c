import { expect, test } from 'vitest';
import { quoteOf } from '../../../src/lib/shared/comment-quote.ts';

test.each([
  ['**说得对**，见[这里](https://a.example/x)和 `a*b`', '说得对，见这里和 a*b'],
  ['> 引用\n> 两行\n\n- 一\n- 二', '引用 两行 一 二'],
  ['List<String> 与 <id>', 'List<String> 与 <id>'],
  ['# 不是标题，$5 和 $6，a\n| 竖 | 线 |', '# 不是标题，$5 和 $6，a | 竖 | 线 |'],
  ['```js\nlet a\n```\n~~旧~~', 'let a 旧'],
  ['``a`b`` ```c', 'a`b ```c'],
  ['', ''],
])('the quote of the comment %j is %j', (comment, quote) => {
  expect(quoteOf(comment)).toBe(quote);
});

test('a long quote ends with a sentence, or else in an ellipsis', () => {
  const sentence = '这是一句话，说完就停。';
  expect(quoteOf(sentence.repeat(20))).toBe(sentence.repeat(10));
  expect(quoteOf(`他说：「走吧！」${'后面还有很多'.repeat(40)}`)).toBe('他说：「走吧！」');
  expect(quoteOf(`Version 3.14 is out. ${'more '.repeat(60)}`)).toBe('Version 3.14 is out.');
  expect(quoteOf('长'.repeat(200))).toBe(`${'长'.repeat(120)}…`);
});
