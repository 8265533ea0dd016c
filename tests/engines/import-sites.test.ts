import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readOldSite } from '../../src/lib/importers/old-site.ts';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const colour = (background: string, width = 8, height = 6) =>
  sharp({ create: { width, height, channels: 3, background } });
const post = (metadata: string, body = '正文在此') => `---\ntags: [诗]\n${metadata}\n---\n${body}\n`;
const get = async (title: string) => (await stage.articles()).get(title);
const texts = (warnings: { text: string }[]) => warnings.map(({ text }) => text);
const find = async (address: string) => (await stage.app.services.formerPaths.find(address))?.id ?? null;

describe('pages of a site', () => {
  const site = {
    '_config.yml': 'permalink: :title.html\n',
    'source/_posts/甲.md': post('title: 甲', '见[关于](/about/)'),
    'source/about/index.md': post('title: 关于'),
    'source/tags/index.md': '---\ntitle: 标签\ntype: tags\n---\n',
    'source/404.md': post('title: 404 Not Found'),
    'source/_posts/友链.md': post('title: 友链\nlayout: links'),
  };

  test('are left out and listed', async () => {
    stage.put(site);
    const report = await stage.run();
    expect([...(await stage.articles()).keys()]).toEqual(['甲']);
    expect(report.counts).toMatchObject({ created: 1, failed: 0 });
    expect(report.pages).toEqual([
      { path: 'source/_posts/友链.md', reason: 'layout: links' },
      { path: 'source/404.md', reason: '404 页' },
      { path: 'source/about/index.md', reason: '不在 _posts 里的页面' },
      { path: 'source/tags/index.md', reason: 'type: tags' },
    ]);
    const dry = await stage.run({ isDryRun: true });
    expect(dry.pages).toEqual(report.pages);
  });

  test('become secret articles on request, except those without text', async () => {
    stage.put(site);
    const { pages } = await stage.run({ takesPages: true });
    expect(await get('关于')).toMatchObject({ secret: true, status: 'normal' });
    expect((await get('甲'))?.content).toBe(`见[关于](/detail/${(await get('关于'))?._id})`);
    expect(pages.map(({ path }) => path)).toEqual(['source/tags/index.md']);
    expect((await stage.articles()).size).toBe(4);
  });

  test('of Hugo, Jekyll and Astro are detected too; a folder of notes has none', async () => {
    stage.put({
      'hugo/hugo.toml': '',
      'hugo/content/posts/a.md': post('title: 一'),
      'hugo/content/posts/_index.md': post('title: 栏目'),
      'jekyll/_config.yml': '',
      'jekyll/_posts/2020-01-02-b.md': post('title: 二'),
      'jekyll/about.md': post('title: 关于'),
      'astro/astro.config.mjs': '',
      'astro/src/content/blog/c.md': post('title: 三'),
      'astro/src/pages/about.md': post('title: 关于'),
      'notes/about.md': '笔记',
      'notes/sub/index.md': '# 笔记二\n\n正文',
    });
    for (const name of ['hugo', 'jekyll', 'astro', 'notes'])
      await stage.run({ folder: join(stage.folder, name) });
    expect([...(await stage.articles()).keys()].sort()).toEqual(['about', '一', '三', '二', '笔记二'].sort());
  });
});

test('old URLs link to the articles, pictures come from the folder, other links stay unchanged', async () => {
  stage.put({
    '_config.yml': 'root: /blog/\n',
    'source/_posts/甲.md': post(
      'title: 甲\ndate: 2020-01-02',
      [
        '[乙](https://old.example/blog/2020/01/03/乙/) [乙](http://www.old.example/blog/2020/01/03/%E4%B9%99/index.html#节)',
        '[首页](https://old.example/blog/) [别处](https://other.example/blog/x) [不在](/blog/none/) [相对](none/)',
        '![图](https://old.example/blog/images/a.png) ![没有](https://old.example/blog/images/b.png) ![没有](c.png) <video src="v.mp4"></video>',
      ].join('\n'),
    ),
    'source/_posts/乙.md': post('title: 乙\ndate: 2020-01-03'),
    'source/images/a.png': await colour('#333').png().toBuffer(),
  });
  const { warnings } = await stage.run({ oldSite: readOldSite('https://old.example/blog') });
  const id = (await get('乙'))?._id;
  const lines = (await get('甲'))?.content.split('\n') ?? [];
  expect(lines[0]).toBe(`[乙](/detail/${id}) [乙](/detail/${id}#节)`);
  expect(lines[1]).toContain(
    '[首页](https://old.example/blog/) [别处](https://other.example/blog/x) [不在](https://old.example/blog',
  );
  expect(lines[2]).toMatch(
    /^!\[图\]\(\/api\/file\/[\w.-]+\) !\[没有\]\(https:\/\/old\.example\/blog\/images\/b\.png\) !\[没有\]\(https:\/\/old\.example\/blog\/2020\/01\/02\/[^)]*c\.png\) <video src="https:\/\/old\.example\/blog/,
  );
  expect(texts(warnings).filter((text) => text.includes('指向旧站')).length).toBe(6);
});

test('former addresses redirect to the articles; one claimed twice goes to the first and is reported', async () => {
  stage.put({
    '_config.yml': 'permalink: :year/:title/\n',
    'source/_posts/甲.md': post('title: 甲\ndate: 2020-01-02\naliases: [/old/a, /same]'),
    'source/_posts/乙.md': post('title: 乙\ndate: 2020-01-02\nredirect_from: /same\npermalink: /p/1.html'),
    'source/_posts/丙.md': post('title: 丙\ndate: 2020-01-02\naliases: [/home]'),
  });
  const dry = await stage.run({ isDryRun: true });
  const { warnings } = await stage.run();
  const [a, b] = [(await get('甲'))?._id, (await get('乙'))?._id];
  expect(await Promise.all(['/2020/甲/', '/old/a', '/p/1.html', '/2020/乙/'].map(find))).toEqual([
    a,
    a,
    b,
    null,
  ]);
  const taken = { path: 'source/_posts/乙.md', text: '旧地址已属于别的文章，没有登记：/same' };
  const owner = await find('/same');
  expect([a, b]).toContain(owner);
  expect(warnings.filter(({ text }) => text === taken.text)).toHaveLength(1);
  expect(texts(warnings)).toContain('旧地址与本站的页面相同，没有登记：/home');
  expect(texts(dry.warnings)).toContain(taken.text);
  await stage.app.services.formerPaths.remove('/old/a');
  expect((await stage.run()).counts).toMatchObject({ unchanged: 3 });
  expect(await find('/old/a')).toBe(a);
});

test('a series is created once, in the order of its files, and excess is reported', async () => {
  stage.put({
    'c.md': post('title: 三\nseries: 山中\nseries_order: 3'),
    'a.md': post('title: 一\nseries: [山中, 别的]\nseries_order: 1'),
    'b.md': post('title: 二\nseries: " 山中 "\nseries_order: 2'),
  });
  expect(texts((await stage.run({ isDryRun: true })).warnings)).toEqual([
    '一篇文章只能在一个专栏里，没有加入：别的',
  ]);
  expect(await stage.count('select count(*) from series')).toBe(0);
  expect(texts((await stage.run()).warnings)).toEqual(['一篇文章只能在一个专栏里，没有加入：别的']);
  stage.put({ 'd.md': post('title: 四\nseries: 山中') });
  expect((await stage.run()).counts).toMatchObject({ created: 1, unchanged: 3 });
  const { result } = await stage.app.services.series.list(stage.author.id, stage.author);
  expect(result.map(({ title, page_num }) => [title, page_num])).toEqual([['山中', 4]]);
  const found = await stage.app.services.series.find(result[0]?._id ?? '', stage.author);
  expect(found?.articles.map(({ item }) => item.title)).toEqual(['一', '二', '三', '四']);
});

test('undated files use the dates of their repository, others of one day are in natural order', async () => {
  const git = (day: string, ...words: string[]) =>
    execFileSync('git', ['-C', stage.folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      env: { ...process.env, GIT_AUTHOR_DATE: `${day}T00:00:00Z` },
    });
  mkdirSync(join(stage.folder, 'x'));
  stage.put({ 'issue-100.md': '一百', 'issue-99.md': '九十九', 'x/dated.md': post('date: 2001-02-03') });
  git('2020-01-01', 'init', '-q');
  git('2020-01-01', 'add', '-A');
  git('2020-01-01', 'commit', '-qm', '一');
  stage.put({ 'issue-99.md': '九十九，改' });
  git('2021-01-01', 'commit', '-qam', '二');
  await stage.run();
  expect(await get('issue-99')).toMatchObject({
    create_time: '2020-01-01T00:00:00.000Z',
    update_time: '2021-01-01T00:00:00.000Z',
  });
  expect(await get('dated')).toMatchObject({ create_time: '2001-02-02T16:00:00.000Z' });
  expect([...(await stage.articles()).keys()]).toEqual(['issue-100', 'issue-99', 'dated']);
});

test('template tags are translated in place, and the report names the line of the file', async () => {
  stage.put({
    '_config.yml': '',
    'source/downloads/code/a.js': 'let a;',
    'source/_posts/甲.md':
      '---\ntitle: 甲\ntags: [诗]\n---\n\n# 甲\n\n见 {% post_link 乙 %}，{% post_link 无 %}\n\n{% include_code lang:js a.js %}\n\n{% foo %}\n',
    'source/_posts/乙.md': post('title: 题目乙'),
    'source/_posts/不是.org': '* Org',
    'source/_posts/多.md': post('title: 多\nauthor: 某人\nmathjax: true'),
  });
  const report = await stage.run();
  expect((await get('甲'))?.content).toBe(
    `见 [题目乙](/detail/${(await get('题目乙'))?._id})，无\n\n\`\`\`js title="a.js"\nlet a;\n\`\`\`\n\n\`\`\`text\n{% foo %}\n\`\`\``,
  );
  expect(texts(report.warnings)).toEqual([
    '不是 Markdown 文件，没有导入',
    '第 8 行：找不到链接的文章，只留下文字：无',
    '第 12 行：看不懂的标签，保留为代码：{% foo %}',
  ]);
  expect(report.unused).toEqual([{ name: 'author', count: 1 }]);
});

test('a dry run reports articles that cannot be rendered and unreadable pictures', async () => {
  stage.put({ 'a.md': `${'<div>'.repeat(400)}难`, 'b.md': '![](bad.png)', 'bad.png': 'x' });
  const dry = await stage.run({ isDryRun: true });
  const real = await stage.run();
  expect(dry).toEqual({ ...real, isDryRun: true });
  expect(real.counts).toMatchObject({ created: 1, failed: 1 });
});
