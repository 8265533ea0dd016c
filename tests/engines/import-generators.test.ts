import { afterEach, describe, expect, test } from 'vitest';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
afterEach(() => stage.close());

const summary = async (fixture: string) => {
  stage = await openImportStage(fixture);
  const report = await stage.run();
  const articles = await stage.articles();
  return { report, articles, get: (title: string) => articles.get(title) };
};
const detail = (id: string | undefined) => `/detail/${id}`;

describe('Hexo', () => {
  test('takes titles, dates without zone as those of Shanghai, tags, nested categories and drafts', async () => {
    const { report, get } = await summary('hexo');
    expect(report.counts).toEqual({ created: 4, updated: 0, unchanged: 0, skipped: 0, failed: 0 });
    expect(get('春天的照片: 第一组')).toMatchObject({
      tags: ['摄影', '春天', '生活', '影像'],
      create_time: '2023-04-04T22:07:08.000Z',
      update_time: '2023-04-30T16:00:00.000Z',
      status: 'normal',
      secret: false,
    });
    expect(get('旧模板')).toMatchObject({ tags: ['随笔', '模板'], create_time: '2020-02-03T15:30:00.000Z' });
    expect(get('没写完')).toMatchObject({ status: 'draft', tags: [] });
  });

  test('a password-protected article becomes secret', async () => {
    const { report, get } = await summary('hexo');
    expect(get('上锁')).toMatchObject({ status: 'normal', secret: true });
    expect(report.warnings).toContainEqual({
      path: '_posts/上锁.md',
      text: '原文设有密码，已导入为仅自己可见',
    });
  });

  test('pictures of the post’s own folder, links by name and by old address, and the fold are taken over', async () => {
    const { articles, get } = await summary('hexo');
    const content = get('春天的照片: 第一组')?.content ?? '';
    const [picture] = /\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png/.exec(content) ?? [];
    const old = articles.get('旧模板');
    expect(content).toBe(
      [
        '开头的一段。',
        '<--阅读全文-->',
        `![一朵花](${picture})`,
        `![同一朵花](${picture})`,
        `见 [另一篇](${detail(old?._id)})，或者[绝对地址](${detail(old?._id)})。`,
        '```html\n<!-- more -->\n<img src="花.png">\n```',
      ].join('\n\n'),
    );
    expect(old?.content).toContain(`<img alt="图" src="${picture}" width="20">`);
  });
});

describe('Hugo', () => {
  test('reads front matter in YAML, TOML and JSON, and files without any', async () => {
    const { get } = await summary('hugo');
    expect(get('Hugo YAML')).toMatchObject({
      tags: ['Go', 'Hugo'],
      create_time: '2022-03-04T03:06:07.000Z',
      update_time: '2022-03-04T16:00:00.000Z',
    });
    expect(get('Hugo TOML')).toMatchObject({
      status: 'draft',
      tags: ['草稿'],
      create_time: '2022-03-03T21:06:07.000Z',
    });
    expect(get('Hugo JSON { } " 括号')).toMatchObject({ tags: ['软件'], secret: true });
    expect(get('notes')).toMatchObject({ tags: ['bundle'], status: 'normal' });
  });

  test('finds pictures beside the article and in the static folder, and keeps anchors', async () => {
    const { get } = await summary('hugo');
    expect(get('Hugo JSON { } " 括号')?.content).toMatch(
      /^!\[封面\]\(\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png "封面"\)\n!\[站点图\]\(\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png\)$/,
    );
    const [toml, json] = [get('Hugo TOML')?._id, get('Hugo JSON { } " 括号')?._id];
    expect(get('Hugo YAML')?.content).toBe(
      `链接到[另一篇](${detail(toml)}#安装)，和[编码过的](${detail(json)}#a%20b)。`,
    );
  });
});

describe('VuePress', () => {
  test('names what has no title after its heading or its folder', async () => {
    const { articles, get } = await summary('vuepress');
    expect([...articles.keys()].sort()).toEqual(['vuepress', '使用 指南 v2', '入门']);
    expect(get('使用 指南 v2')).toMatchObject({ tags: ['VuePress', '前端'] });
    expect(get('使用 指南 v2')?.content).not.toContain('# 使用');
    expect(get('入门')?.content).toMatch(/^## 第一步/);
  });

  test('links from the root of the site lead to the imported articles', async () => {
    const { get } = await summary('vuepress');
    const [guide, start] = [get('使用 指南 v2')?._id, get('入门')?._id];
    expect(get('vuepress')?.content).toBe(
      `回到[指南](${detail(guide)})，[入门](${detail(start)}#第一步)，[不带后缀](${detail(start)})。`,
    );
    expect(get('使用 指南 v2')?.content).toContain(`[上一层](${detail(get('vuepress')?._id)})`);
  });

  test('paths outside the folder or to nowhere stay unchanged and are reported', async () => {
    const { report, get } = await summary('vuepress');
    const content = get('入门')?.content ?? '';
    const guide = detail(get('使用 指南 v2')?._id);
    expect(content).toContain(
      '[外面](../../secret.md) （图片缺失“外面的图”：`../../secret.png`） [没有的](./none.md)',
    );
    expect(content).toContain('`[代码](./README.md)` [站外](https://example.com/a.md) [本页](#第一步)');
    expect(content).toContain(`[ref]: ${guide} "说明"\n[^1]: ./README.md`);
    const texts = report.warnings.filter(({ path }) => path === 'guide/start.md').map(({ text }) => text);
    expect(texts).toEqual([
      '无法识别的日期“date: 不是日期”，改用文件的日期',
      '链接指向文件夹之外，文中留下说明：../../secret.png',
      '找不到图片，文中留下说明：./none.png',
      '链接指向文件夹之外，保留原样：../../secret.md',
      '找不到链接的文章，保留原样：./none.md',
    ]);
  });
});

describe('Jekyll', () => {
  test('takes dates from names, tags apart by spaces, its own fold and post_url', async () => {
    const { get } = await summary('jekyll');
    const second = get('Second Post');
    expect(second).toMatchObject({
      status: 'draft',
      create_time: '2019-08-07T16:00:00.000Z',
      content: 'Body.',
    });
    const first = get('Hello Jekyll');
    expect(first).toMatchObject({ tags: ['ruby', 'web', '博客'], create_time: '2019-08-06T16:00:00.000Z' });
    expect(first?.content).toMatch(/^Excerpt\.\n\n<--阅读全文-->\n\nSee /);
    expect(first?.content).toContain(`[next](${detail(second?._id)}) and ![pic](/api/file/`);
  });
});
