import { expect, test } from 'vitest';
import { findOutsidePictures } from '../../../../../src/islands/editor/pictures/outside-pictures.ts';
import { addressOf, isImportedHost } from '../../../../../src/lib/contract/rules/pictures.ts';

const find = (text: string) =>
  findOutsidePictures(text, 'https://here.example').map(({ from, to, written }) => {
    expect(text.slice(from, to)).toBe(written);
    return addressOf(written);
  });

test.for<[name: string, text: string, found: string[]]>([
  ['markdown', '前![图](https://a.test/1.png)后', ['https://a.test/1.png']],
  ['with a title', '![](https://a.test/1.png "图注")', ['https://a.test/1.png']],
  ['in angle brackets', '![]( <https://a.test/a b.png> )', ['https://a.test/a b.png']],
  ['with brackets in it', '![](https://a.test/x_(1).png)', ['https://a.test/x_(1).png']],
  ['with brackets in its alt', '![a [b] \\] c](https://a.test/1.png)', ['https://a.test/1.png']],
  ['escaped', '![](https://a.test/a\\_b.png)', ['https://a.test/a_b.png']],
  ['without a scheme', '![](//a.test/1.png)', ['https://a.test/1.png']],
  ['as HTML', '<img width="3" src="https://a.test/?a=1&amp;b=2">', ['https://a.test/?a=1&b=2']],
  ['as HTML without quotes', '<IMG SRC=https://a.test/1.png>', ['https://a.test/1.png']],
  [
    'in a link, after another',
    '[![](http://a.test/1.png)](http://b.test)\n![](http://a.test/2.png)',
    ['http://a.test/1.png', 'http://a.test/2.png'],
  ],
  ['of this site', '![](/api/file/a.png) ![](https://here.example/api/file/a.png)', []],
  ['that is none', '[图](https://a.test/1.png) ![](data:image/png;base64,aa) ![](a.png)', []],
  ['in code', '`![](https://a.test/1.png)` ``![](https://a.test/2.png) ` ``', []],
  [
    'in a fence',
    '```md\n![](https://a.test/1.png)\n~~~\n``` x\n```\n![](https://a.test/2.png)',
    ['https://a.test/2.png'],
  ],
  ['in a fence that is open', '~~~\n![](https://a.test/1.png)', []],
])('a picture %s', ([, text, found]) => {
  expect(find(text)).toEqual(found);
});

test('a host matches by name, parent domain, or *', () => {
  const address = 'https://p3-juejin.byteimg.com/a.png';
  expect(isImportedHost(address, ['byteimg.com'])).toBe(true);
  expect(isImportedHost(address, ['*'])).toBe(true);
  expect(isImportedHost(address, ['juejin.byteimg.com', 'img.com', ''])).toBe(false);
  expect(isImportedHost(address, [])).toBe(false);
});
