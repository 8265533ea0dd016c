import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StateNote } from '../../src/islands/dashboards/articles/StateNote.tsx';

test.for([
  [undefined, ''],
  ['', ''],
  ['审核中', ' <span>审核中</span>'],
  ['改动未通过：广告', ' <span>改动未通过</span><bdi>广告</bdi>'],
  ['已被隐藏：缺出处：第三段\n第四段', ' <span>已被隐藏</span><bdi>缺出处：第三段\n第四段</bdi>'],
] as const)('the state %j is a mark, and the reason of staff stands below it', ([note, html]) => {
  expect(renderToStaticMarkup(<StateNote note={note} />).replaceAll(/ class="[^"]*"/g, '')).toBe(html);
});
