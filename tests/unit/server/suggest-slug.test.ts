import { expect, test } from 'vitest';
import { foldSlug, slugRule } from '../../../src/lib/contract/rules/slugs.ts';
import { suggestSlug } from '../../../src/lib/server/articles/slugs/suggest-slug.ts';
import { slugIn } from '../../../src/lib/server/redirects/canonical-path.ts';

test.each([
  ['你好，世界', 'ni-hao-shi-jie'],
  ['Astro 7 入门', 'astro-7-ru-men'],
  ['重庆银行的行长', 'chong-qing-yin-hang-de-hang-zhang'],
  ['女儿的绿茶', 'nv-er-de-lv-cha'],
  ['ＡＢＣ　全角１２３', 'abc-quan-jiao-123'],
  ["Don't Panic: C++ & C#", 'dont-panic-c-c'],
  ['Crème brûlée', 'creme-brulee'],
  ['Привет, мир', 'привет-мир'],
  ['v1.2.3 发布', 'v1-2-3-fa-bu'],
  ['🎉 发布啦 🎉', 'fa-bu-la'],
  ['🎉🎉', ''],
  ['..', ''],
  ['', ''],
])('the title %o has the slug %o', async (title, slug) => {
  expect(await suggestSlug(title)).toBe(slug);
});

test('a slug has at most 60 characters, is cut at a word, and follows the rule', async () => {
  const long = await suggestSlug(
    '一篇标题特别长特别长特别长的文章讲述怎样把标题变成网址的一部分并且不超过限制',
  );
  expect(long).toMatch(/^yi-pian-biao-ti-te-bie-chang-.*[a-z]$/);
  const oneWord = await suggestSlug('pneumono'.repeat(15));
  expect(Array.from(oneWord)).toHaveLength(60);
  const titles = [long, oneWord, '\u0301标题', 'a\u0301'.repeat(60), '𠮷'.repeat(120), 'ﷺ'.repeat(120)];
  for (const title of titles) {
    const slug = await suggestSlug(title);
    expect([title, slugRule.accepts(slug), slug]).toEqual([title, true, foldSlug(slug)]);
    expect(Array.from(slug).length).toBeLessThanOrEqual(60);
  }
});

test.each([
  [['/2020/05/hello-world/'], 'hello-world'],
  [['https://old.example/posts/Hello%20World.html'], ''],
  [['/archives/%E4%BD%A0%E5%A5%BD/'], '你好'],
  [['/archives/12', '/start.html'], 'start'],
  [['/detail/0123456789abcdef01234567'], ''],
  [['/?p=12'], ''],
  [['My-Slug', '/2020/05/other/'], 'my-slug'],
  [[''], ''],
  [[`/${'长'.repeat(101)}`], ''],
])('the addresses %o of another site end with the slug %o', (addresses, slug) => {
  expect(slugIn(addresses)).toBe(slug);
});
