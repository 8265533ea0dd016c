import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

/** Titles in a visitor's list of all articles. */
async function publicTitles(): Promise<string[]> {
  const { result } = await stage.app.services.articles.list({ of: 'public' }, { page: 1, pageSize: 100 });
  const shown = new Set(result.map(({ id }) => id));
  const articles = [...(await stage.articles()).values()];
  return articles.flatMap(({ _id, title }) => (shown.has(_id) ? [title] : [])).toSorted();
}

const page = (frontMatter: string, text = '正文') => `---\ntags: [随笔]\n${frontMatter}\n---\n${text}\n`;

describe('content that the old site did not show stays hidden', () => {
  test('whatever field says so, and the report names each', async () => {
    stage.put({
      'open.md': page('draft: false'),
      'status.md': page('status: private'),
      'state.md': page('state: draft'),
      'unlisted.md': page('unlisted: true'),
      'garden.md': page('dg-publish: false'),
      'expired.md': page('date: 2018-01-01\nexpiryDate: 2019-01-01'),
      'scheduled.md': page('date: 2018-01-01\npublishDate: 2999-01-01'),
      'never.md': page('build:\n  render: never'),
      'guess.md': page('hiddenFromHomePage: true'),
    });
    const { warnings, unused } = await stage.run();
    expect(await publicTitles()).toEqual(['open']);
    expect(unused).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual([
      'expired.md',
      'garden.md',
      'guess.md',
      'never.md',
      'scheduled.md',
      'status.md',
      'unlisted.md',
    ]);
    expect(warnings.find(({ path }) => path === 'guess.md')?.text).toBe(
      '“hiddenFromHomePage: true”像是不公开的标记，已导入为仅自己可见',
    );
    const articles = await stage.articles();
    expect(articles.get('state')?.status).toBe('draft');
    expect(articles.get('scheduled')?.status).toBe('draft');
    expect(articles.get('status')).toMatchObject({ status: 'normal', secret: true });
  });

  test('tags that Hexo encrypts, a field of its own that hides, and files that it excludes', async () => {
    stage.put({
      '_config.yml':
        'encrypt:\n  tags:\n    - {name: 日记, password: x}\nhide_posts:\n  filter: quiet\nexclude:\n  - "_posts/old/**"\n',
      'package.json': '{"dependencies":{"hexo":"7"}}',
      'source/_posts/open.md': page(''),
      'source/_posts/diary.md': '---\ntags: [日记]\n---\n正文\n',
      'source/_posts/plain-diary.md': '---\ntags: [日记]\npassword: ""\n---\n正文\n',
      'source/_posts/quiet.md': page('quiet: true'),
      'source/_posts/old/gone.md': page(''),
      'source/_posts/_unfinished.md': page(''),
    });
    await stage.run();
    expect(await publicTitles()).toEqual(['open', 'plain-diary']);
  });

  test('settings inherited from Hugo’s sections', async () => {
    stage.put({
      'hugo.toml': 'title = "x"',
      'content/open.md': page(''),
      'content/inner/_index.md': '---\ncascade:\n  draft: true\n---\n',
      'content/inner/a.md': page(''),
      'content/inner/deep/b.md': page(''),
      'content/inner/c.md': page('draft: false'),
      'content/club/_index.md':
        '---\ncascade:\n  - _target: {path: "/club/**"}\n    build: {render: never}\n---\n',
      'content/club/d.md': page(''),
    });
    await stage.run();
    expect(await publicTitles()).toEqual(['c', 'open']);
  });

  test('defaults of a folder in Jekyll', async () => {
    stage.put({
      '_config.yml':
        'defaults:\n  - scope: {path: "_posts/inner", type: posts}\n    values: {published: false}\nexclude: [_posts/out/]\n',
      Gemfile: '',
      '_posts/2020-01-01-open.md': page(''),
      '_posts/inner/2020-01-01-a.md': page(''),
      '_posts/out/2020-01-01-b.md': page(''),
    });
    await stage.run();
    expect(await publicTitles()).toEqual(['open']);
  });

  test.each([
    [
      'Hexo’s settings that are no YAML',
      { '_config.yml': 'encrypt: [', 'package.json': '{"dependencies":{"hexo":"7"}}' },
    ],
    ['Jekyll’s settings that are too large', { '_config.yml': `# ${'x'.repeat(1024 * 1024)}`, Gemfile: '' }],
    ['Hugo’s settings that are no table', { 'hugo.json': '[]' }],
    [
      'a section of Hugo that cannot be read',
      { 'hugo.toml': '', 'posts/_index.md': '---\ncascade: [\n---\n' },
    ],
  ] as const)('%s hide what they might have hidden', async (_, files) => {
    const path = 'Gemfile' in files ? '_posts/2020-01-01-a.md' : 'posts/a.md';
    stage.put({ ...files, [path]: page('') });
    const { warnings } = await stage.run();
    expect(await publicTitles()).toEqual([]);
    expect(warnings).toContainEqual({
      path,
      text: '网站的设置读不出来，不知道它是否公开，已导入为仅自己可见',
    });
  });

  test('empty settings hide nothing', async () => {
    stage.put({ '_config.yml': '# nothing\n', Gemfile: '', '_posts/2020-01-01-open.md': page('') });
    await stage.run();
    expect(await publicTitles()).toEqual(['open']);
  });

  test('a pattern that would take exponential time hides the article', async () => {
    stage.put({
      '_config.yml': `exclude: ["${'{a,b}'.repeat(40)}"]\n`,
      Gemfile: '',
      '_posts/2020-01-01-open.md': page(''),
    });
    await stage.run();
    expect(await publicTitles()).toEqual([]);
  });

  test('in vaults that publish individual notes, an unmarked note is secret', async () => {
    stage.put({ 'open.md': page('dg-publish: true'), 'silent.md': page('') });
    const { warnings } = await stage.run();
    expect(await publicTitles()).toEqual(['open']);
    expect(warnings).toEqual([
      { path: 'silent.md', text: '别的笔记有“dg-publish: true”，这篇没有，已导入为仅自己可见' },
    ]);
  });
});

describe('comments of Obsidian', () => {
  test('are left out of a note in a vault, and counted', async () => {
    mkdirSync(join(stage.folder, '.obsidian'));
    stage.put({
      'note.md': page(
        '',
        '前文 %%不给人看%% 后文\n\n%%\n- 私事\n%%\n\n`%%` 与 `a %% b`\n\n```\n%% 图 %%\n```',
      ),
      'open-end.md': page('', '前文\n\n%% 没有写完'),
    });
    const { warnings } = await stage.run();
    const articles = await stage.articles();
    expect(articles.get('note')?.content.trim()).toBe(
      '前文  后文\n\n\n\n\n\n`%%` 与 `a %% b`\n\n```\n%% 图 %%\n```',
    );
    expect(await publicTitles()).toEqual(['note']);
    expect(warnings).toEqual([
      { path: 'note.md', text: '2 处 Obsidian 注释（%%…%%）没有导入' },
      { path: 'open-end.md', text: '有没有成对的 %%（Obsidian 的注释），已导入为仅自己可见' },
    ]);
  });

  test('keep their text outside a vault, and the article is secret', async () => {
    stage.put({ 'a.md': page('', '前文 %%不给人看%% 后文'), 'b.md': page('', '只有一个 %% 的文章') });
    const { warnings } = await stage.run();
    expect(await publicTitles()).toEqual(['b']);
    expect((await stage.articles()).get('a')?.content.trim()).toBe('前文 %%不给人看%% 后文');
    expect(warnings).toEqual([
      { path: 'a.md', text: '正文里有成对的 %%（Obsidian 的注释），已导入为仅自己可见' },
    ]);
  });
});
