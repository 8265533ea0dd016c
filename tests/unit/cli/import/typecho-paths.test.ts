import { expect, test } from 'vitest';
import { pathsOf } from '../../../../src/lib/importers/typecho/contents.ts';

const article = {
  cid: '7',
  slug: '你好',
  // 2019-03-08 00:00 in China, which is the previous day in UTC.
  created: 1551974400,
  isPage: false,
  categories: [['tech', '后端'], ['life']],
};
const paths = (post: string, change: Partial<typeof article> = {}, siteUrl = 'https://old.example') =>
  pathsOf(
    { ...article, ...change },
    {
      siteUrl,
      offset: 28_800,
      areCommentsMarkdown: false,
      isPatternGuessed: false,
      patterns: { post, page: '/[slug].html' },
    },
  ).filter((path) => !path.includes('/index.php'));

test.each([
  ['/archives/[cid:digital]/', ['/archives/7/']],
  ['/archives/{cid}/', ['/archives/7/']],
  ['/[slug].html', ['/%E4%BD%A0%E5%A5%BD.html']],
  [
    '/[category]/[slug].html',
    ['/%E5%90%8E%E7%AB%AF/%E4%BD%A0%E5%A5%BD.html', '/life/%E4%BD%A0%E5%A5%BD.html'],
  ],
  ['/[directory:split:0]/[cid:digital]', ['/tech/%E5%90%8E%E7%AB%AF/7', '/life/7']],
  [
    '/[year:digital:4]/[month:digital:2]/[day:digital:2]/[slug].html',
    ['/2019/03/08/%E4%BD%A0%E5%A5%BD.html'],
  ],
  ['/[unknown]/[slug]', []],
])('the pattern %s', (pattern, expected) => {
  expect(paths(pattern)).toEqual(expected);
});

test('a page uses the page pattern, and a site in a folder its folder', () => {
  expect(paths('/x/[cid]', { isPage: true })).toEqual(['/%E4%BD%A0%E5%A5%BD.html']);
  expect(paths('/[cid]', {}, 'https://old.example/blog')).toEqual(['/blog/7']);
});

test('without a category, a slug or a date there is no URL that needs one', () => {
  expect(paths('/[category]/[slug].html', { categories: [] })).toEqual([]);
  expect(paths('/[slug].html', { slug: '' })).toEqual([]);
  expect(paths('/[year]/[slug].html', { created: NaN })).toEqual([]);
});

test('URLs exist with and without index.php, since rewriting may have been enabled later', () => {
  const all = pathsOf(article, {
    siteUrl: '',
    offset: 0,
    areCommentsMarkdown: false,
    isPatternGuessed: true,
    patterns: { post: '/[cid]', page: '/[slug]' },
  });
  expect(all).toEqual(['/7', '/index.php/7']);
});
