import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../../../src/lib/importers/folder/walk.ts';
import { front, ID, put, readFirst } from './foreign-folder.ts';

describe('fields that mean nothing here are named', () => {
  test.each([
    ['licence: 随便用', '无法识别的“licence: 随便用”，没有导入'],
    ['source: 某书', '无法识别的“source: 某书”，没有导入'],
    ['tags: {a: b}', '无法识别的“tags”，没有导入'],
    ['categories: [甲, {乙: 丙}]', '无法识别的“categories”，没有导入'],
    ['title: [甲, 乙]', '无法识别的“title”，没有导入'],
    ['order: 第一', '无法识别的“order: 第一”，没有导入'],
  ])('%s', async (fields, warning) => {
    expect((await readFirst({ 'a.md': front(fields) })).warnings).toEqual([warning]);
  });

  test('fields without a use are listed, also those that are off', async () => {
    const fields =
      'author: 张三\ncopyright: 请注明出处\nComment: false\nsub_title:\ntoc: false\nparams: {a: 1}';
    expect((await readFirst({ 'a.md': front(fields) })).unused).toEqual([
      'author',
      'copyright',
      'Comment',
      'params',
    ]);
  });

  test('empty ones and switches lose nothing', async () => {
    const fields = 'tags: []\ncategories:\n  -\ntitle:\norder: false\ndescription: true\naliases: []';
    const { warnings, tags } = await readFirst({ 'a.md': front(fields) });
    expect([warnings, tags]).toEqual([[], ['未分类']]);
  });

  test('a tag that Hexo encrypts is found among others', async () => {
    const settings = 'encrypt:\n  tags:\n    - {name: 日记, password: x}\n';
    const files = { 'source/_posts/a.md': front('tags: 诗, 日记'), '_config.yml': settings };
    expect((await readFirst(files)).secret).toBe(true);
  });
});

describe('articles that look like pages', () => {
  test.each([
    ['beside _posts, with a date', 'notes/a.md', front('date: 2019-05-06'), {}],
    ['beside _posts, with a date in the name', 'notes/2019-05-06-a.md', '正文', {}],
    ['beside _posts, below posts', 'posts/java/a.md', '正文', {}],
    ['of VuePress', 'java/a.md', '正文', { '.vuepress/config.js': '' }],
    [
      'of VuePress in a project',
      'docs/java/a.md',
      '正文',
      { 'docs/.vuepress/config.js': '', 'package.json': '{}' },
    ],
    ['of Astro', 'src/pages/posts/a.md', front('title: 甲'), { 'astro.config.mjs': '' }],
    ['of Astro, with a date', 'src/pages/a.md', front('pubDate: 2019-05-06'), { 'astro.config.mjs': '' }],
    ['of Hexo', 'source/blog/a.md', front('title: 甲'), { '_config.yml': '', 'source/_posts/b.md': '正文' }],
    ['of Jekyll', 'blog/2019-05-06-a.md', front('title: 甲'), { '_config.yml': '', Gemfile: '' }],
  ])('%s', async (_, path, text, more) => {
    const files = { [path]: text, '_posts/b.md': '正文', 'docs/_posts/b.md': '正文', ...more };
    expect((await readFirst(files)).page).toBeNull();
  });

  test.each([
    ['without a date', 'notes/a.md', '正文', { '_posts/b.md': '正文' }],
    ['an about page with a date', 'about.md', front('date: 2019-05-06'), { '_posts/b.md': '正文' }],
    [
      'a page of Hexo with the date of its template',
      'source/about/index.md',
      front('date: 2019-05-06'),
      { '_config.yml': '', 'source/_posts/c.md': '正文' },
    ],
    ['the list of posts', 'src/pages/blog/index.md', front('title: 甲'), { 'astro.config.mjs': '' }],
    [
      'with a layout',
      'src/pages/posts/a.md',
      front('layout: page\ndate: 2019-05-06'),
      { 'astro.config.mjs': '' },
    ],
    ['a folder of the site called blog', 'blog/about.md', '正文', { 'blog/_posts/c.md': '正文' }],
  ])('%s stays a page', async (_, path, text, more) => {
    expect((await readFirst({ [path]: text, ...more })).page).not.toBeNull();
  });

  test('on request, files that only their place makes pages are public articles; a list of tags is none', async () => {
    expect(await readFirst({ 'notes/a.md': '正文', '_posts/b.md': '正文' }, true)).toMatchObject({
      page: null,
      secret: false,
    });
    const tags = { 'tags.md': front('layout: tags'), '_posts/b.md': '正文' };
    expect(await readFirst(tags, true)).toMatchObject({ page: 'layout: tags', isMadeHere: true });
  });
});

describe('the root of a site', () => {
  const documents = {
    'README.md': '说明',
    'LICENSE.md': 'MIT',
    'CLAUDE.md': '说明',
    'AGENTS.md': '说明',
    'themes/next/README.md': '说明',
    'themes/next/docs/README.md': '说明',
    'package.json': '{"dependencies":{"hexo":"7"}}',
  };

  test.each([
    ['Hexo', { '_config.yml': '' }, 'source/_posts/a.md', 'source'],
    ['Hexo with another folder', { '_config.yml': 'source_dir: ./texts/\n' }, 'texts/_posts/a.md', 'texts'],
    ['Hugo', { 'hugo.toml': '' }, 'content/posts/a.md', 'content'],
    [
      'Hugo in two languages',
      { 'hugo.toml': '[languages.zh]\ncontentDir = "content/zh"' },
      'content/zh/a.md',
      'content、content/zh',
    ],
    ['VuePress', { 'docs/.vuepress/config.js': '' }, 'docs/a.md', 'docs'],
    ['Docusaurus', { 'docusaurus.config.js': '' }, 'blog/a.md', 'docs、blog、src/pages'],
  ])('of %s: only the folder of its texts is imported', (_, settings, article, where) => {
    const { files, skipped } = put({ ...documents, ...settings, [article]: '正文' });
    expect(files.map(({ path }) => path)).toEqual([article]);
    expect(skipped.map(({ path, reason }) => `${path}：${reason}`)).toEqual([
      `AGENTS.md：不在网站的内容文件夹（${where}）里，没有导入`,
      `CLAUDE.md：不在网站的内容文件夹（${where}）里，没有导入`,
      `LICENSE.md：不在网站的内容文件夹（${where}）里，没有导入`,
      `README.md：不在网站的内容文件夹（${where}）里，没有导入`,
      `themes/：2 个文件不在网站的内容文件夹（${where}）里，没有导入`,
    ]);
  });

  test('a folder outside of the texts, named itself, is imported', () => {
    const folder = put({ ...documents, '_config.yml': '', 'source/_posts/a.md': '正文' });
    const themes = openFolder(join(folder.root, 'themes'));
    expect(themes.files.map(({ path }) => path)).toEqual(['next/docs/README.md', 'next/README.md']);
  });

  test.each([
    'README.md',
    'LICENSE.md',
    'CLAUDE.md',
    'AGENTS.md',
    'README.en.md',
    'readme.md',
    'CONTRIBUTING.md',
  ])('of no known generator: %s is a document of the project', async (path) => {
    const { page } = await readFirst({ [path]: '说明', 'a.md': '正文', 'package.json': '{}' });
    expect(page).toBe('项目的说明文件');
  });

  test.each([
    ['README.md', '说明', {}],
    ['sub/README.md', '说明', { 'package.json': '{}' }],
    ['README.md', front('title: 甲'), { 'package.json': '{}' }],
    ['claude.md', '说明', {}],
    ['Security of tokens.md', '说明', { 'package.json': '{}' }],
  ])('%s with %j may be an article', async (path, text, more) => {
    expect((await readFirst({ [path]: text, ...more })).page).toBeNull();
  });
});

test.each([
  ['随笔/山居/index.md', '随笔'],
  ['随笔/2019-05-06-山居/index.md', '随笔'],
  ['2019/05/山居/index.md', '未分类'],
  ['随笔/山居/README.md', '随笔'],
  ['随笔/山居/a.md', '山居'],
  [`随笔 ${ID}/a.md`, '随笔'],
  ['a/2019-05-06-山居/b.md', '山居'],
])('the default tag of %s is %s', async (path, tag) => {
  expect((await readFirst({ [path]: '正文' })).tags).toEqual([tag]);
});

test('a README of another title than its folder is the overview of a section, which is its tag', async () => {
  expect((await readFirst({ 'java/README.md': '# Java 基础\n\n正文' })).tags).toEqual(['java']);
});

describe('pages exported from Notion', () => {
  const name = `山居 ${ID}.md`;
  test('have their date and tags in lines below the title', async () => {
    const lines = `Created: May 6, 2019 3:04 PM\nTags: 诗, 山 (../%E5%B1%B1%20${ID}.md)\nOwner: 张三`;
    const article = await readFirst({ [name]: `# 山居\n\n${lines}\n\n正文\n` });
    expect(article).toMatchObject({
      title: '山居',
      created: '2019-05-06T07:04:00.000Z',
      tags: ['诗', '山'],
      page: null,
      secret: false,
    });
    expect(article.body.trim()).toBe('Owner: 张三\n\n正文');
  });

  test('hide what a property hides, and name a date that cannot be read', async () => {
    const text = '# 山居\n\n创建时间: 昨天\nStatus: Private\n\n正文\n';
    const { secret, warnings } = await readFirst({ [name]: text });
    expect(secret).toBe(true);
    expect(warnings).toContain('无法识别的日期“创建时间: 昨天”，改用文件的日期');
  });

  test('elsewhere such lines stay in the text, and their date counts', async () => {
    const text = '# 山居\n\n日期: 2019-05-06\n作者: 张三\n\n正文\n';
    const { created, body } = await readFirst({ 'a.md': text });
    expect(created).toBe('2019-05-05T16:00:00.000Z');
    expect(body.trim()).toBe('日期: 2019-05-06\n作者: 张三\n\n正文');
    expect((await readFirst({ 'a.md': '# 山居\n\n注意: 小心\n\n正文\n' })).created).toBeNull();
  });
});
