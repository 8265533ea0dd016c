import { expect, test } from 'vitest';
import { formerPaths, type Addressed } from '../../../../src/lib/importers/folder/former-paths.ts';
import type { Generator } from '../../../../src/lib/importers/folder/generator.ts';

const article = (sitePath: string, more: Partial<Addressed> = {}): Addressed => ({
  sitePath,
  metadata: {},
  title: '你好 世界',
  // 2020-01-01 02:03:04 in Shanghai.
  created: Date.UTC(2019, 11, 31, 18, 3, 4),
  datedRest: undefined,
  categories: ['生活', 'Web Dev'],
  ...more,
});
const site = (kind: Generator['kind'], settings: Record<string, unknown> = {}): Generator => ({
  kind,
  root: '/x',
  isProject: true,
  settings,
});

test.each<[string, Addressed, Generator, string[]]>([
  ['Hexo as it is', article('source/_posts/a/b.md'), site('hexo'), ['/2020/01/01/a/b/']],
  ['another zone', article('source/_posts/b.md'), site('hexo', { timezone: 'UTC' }), ['/2019/12/31/b/']],
  [
    'a zone that does not exist counts as Shanghai',
    article('source/_posts/b.md'),
    site('hexo', { timezone: 'Mars/City' }),
    ['/2020/01/01/b/'],
  ],
  [
    'below the path of its address',
    article('source/_posts/b.md'),
    site('hexo', { url: 'https://me.example/blog/' }),
    ['/blog/2020/01/01/b/'],
  ],
  [
    'the root is stated apart from the address',
    article('source/_posts/b.md'),
    site('hexo', { url: 'https://me.example/blog', root: '/' }),
    ['/2020/01/01/b/'],
  ],
  ['below a path', article('source/_posts/b.md'), site('hexo', { root: '/blog/' }), ['/blog/2020/01/01/b/']],
  [
    'a name in front matter',
    article('source/_posts/b.md', { metadata: { abbrlink: 'f00d' } }),
    site('hexo', { permalink: 'p/:abbrlink.html' }),
    ['/p/f00d.html'],
  ],
  [
    'a name that nothing is known of',
    article('source/_posts/b.md'),
    site('hexo', { permalink: 'p/:abbrlink/' }),
    [],
  ],
  [
    'categories',
    article('source/_posts/b.md'),
    site('hexo', { permalink: ':category/:name/', category_map: { 生活: 'life' } }),
    ['/life/Web-Dev/b/'],
  ],
  [
    'its own address',
    article('source/_posts/b.md', { metadata: { permalink: 'foo/bar.html' } }),
    site('hexo'),
    ['/foo/bar.html'],
  ],
  [
    'aliases',
    article('source/_posts/b.md', {
      metadata: { alias: 'x/', aliases: ['/y?z=1'], redirect_from: ['https://old.example/c/', 'd'] },
    }),
    site('hexo'),
    ['/2020/01/01/b/', '/y', '/c/', '/d'],
  ],
  ['a page', article('source/about/index.md'), site('hexo'), ['/about/']],
  [
    'Jekyll as it is',
    article('_posts/2020-01-01-Hello.md', { datedRest: 'Hello' }),
    site('jekyll'),
    ['/生活/web-dev/2020/01/01/Hello.html'],
  ],
  [
    'Jekyll, pretty',
    article('_posts/x.md', { datedRest: 'x', categories: [] }),
    site('jekyll', { permalink: 'pretty', baseurl: '/b' }),
    ['/b/2020/01/01/x/'],
  ],
  [
    'Jekyll, its own pattern',
    article('_posts/x.md', { datedRest: 'x' }),
    site('jekyll', { permalink: '/:short_year/:i_month/:i_day/:title:output_ext' }),
    ['/20/1/1/x.html'],
  ],
  ['Hugo as it is', article('content/posts/My Post.zh-cn.md'), site('hugo'), ['/posts/my-post/']],
  [
    'a bundle',
    article('content/posts/Bundle/index.md', { metadata: { slug: 'sl' } }),
    site('hugo', { baseURL: 'https://me.example/blog/' }),
    ['/blog/posts/sl/'],
  ],
  [
    'Hugo, its own pattern',
    article('content/posts/a.md'),
    site('hugo', { permalinks: { posts: '/:year/:month/:title/' } }),
    ['/2020/01/你好-世界/'],
  ],
  [
    'Hugo, patterns of pages',
    article('content/posts/a.md'),
    site('hugo', { permalinks: { page: { posts: '/:year/:filename' } } }),
    ['/2020/a'],
  ],
  [
    'Hugo, url',
    article('content/posts/a.md', { metadata: { url: '/x/y.html', aliases: ['/old/'] } }),
    site('hugo'),
    ['/x/y.html', '/old/'],
  ],
  ['Astro', article('src/content/blog/a/index.md'), site('astro'), ['/blog/a/']],
  [
    'no generator',
    article('a.md', { metadata: { permalink: '/p/1', slug: 'b' } }),
    site('unknown'),
    ['/p/1'],
  ],
  ['nothing known', article('a.md', { created: undefined }), site('hexo'), []],
])('%s', (_, of, generator, expected) => {
  expect(formerPaths(of, generator)).toEqual(expected);
});
