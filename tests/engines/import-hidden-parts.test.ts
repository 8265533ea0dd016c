import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SiteReport } from '../../src/lib/importers/site/site-report.ts';
import { runMoye } from './import-command.ts';
import { openImportStage } from './import-stage.ts';
import { openSiteImportStage, type FakeSite, type SiteImportStage } from './site-import-stage.ts';

const DUMP = fileURLToPath(new URL('../fixtures/import/typecho/dump.sql', import.meta.url));
const CASE = fileURLToPath(new URL('../../../shared/cases/typecho-hidden-and-bang.sql', import.meta.url));

let place: string;
beforeAll(() => (place = mkdtempSync(join(tmpdir(), 'moye-hidden-'))));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

/** Everything that visitors may read anywhere, as one text. */
async function publicTexts(): Promise<string> {
  const { articles, feeds } = stage.app.services;
  const { result } = await articles.list({ of: 'public' }, { page: 1, pageSize: 100 });
  const read = await Promise.all(result.map(({ id }) => articles.read(id, null)));
  const found = await articles.search('秘密', { page: 1, pageSize: 50 }, {});
  const feed = await feeds.find('site', '');
  return JSON.stringify([result, read, found.total === 0 ? [] : found, feed]);
}

const publicTitles = async (): Promise<string[]> => {
  const { articles } = stage.app.services;
  const { result } = await articles.list({ of: 'public' }, { page: 1, pageSize: 100 });
  const read = await Promise.all(result.map(({ id }) => articles.read(id, null)));
  // The dump has a second statement with one article.
  return read
    .map(({ title }) => title)
    .filter((title) => title !== '主题的短代码')
    .toSorted();
};

const notesOf = ({ notes }: SiteReport) => notes.map(({ what, why }) => `${what}：${why}`);

describe('a site whose plugins hide parts of articles', () => {
  const article = (key: string, content: string, more: object = {}) => ({
    key,
    author: 'u',
    title: key,
    content,
    ...more,
  });
  const site: FakeSite = {
    users: [{ key: 'u', username: '作者甲' }],
    articles: [
      article('公开', '正文'),
      article('回复可见', '开头\n\n[hide]\n藏着的秘密\n[/hide]\n\n结尾', { description: '摘要' }),
      article('没有结束', '开头\n\n{login}\n藏着的秘密'),
      article('摘要里', '正文', { description: '摘要[reply]藏着的秘密[/reply]' }),
      article('代码', '`[hide]` 的写法'),
      article('草稿', '[pay price=5]藏着的秘密[/pay]', { status: 'draft' }),
    ],
    comments: [
      { key: 'c', article: '公开', author: 'u', content: '[secret]藏着的秘密[/secret]', created: 1 },
      { key: 'd', article: '公开', author: 'u', content: '普通的评论', created: 2 },
    ],
  };

  test('imports those articles as secret ones, and names them; a dry run says the same', async () => {
    const dry = await stage.run(site, { isDryRun: true });
    const report = await stage.run(site);
    expect(notesOf(dry)).toEqual(notesOf(report));
    expect(notesOf(report)).toEqual(
      expect.arrayContaining([
        '文章《回复可见》：含有隐藏内容（hide），已导入为私密',
        '文章《没有结束》：含有隐藏内容（login），已导入为私密',
        '文章《草稿》：含有隐藏内容（pay），已导入为私密',
        '评论：含有隐藏内容，等待审核',
      ]),
    );
    expect(await publicTitles()).toEqual(['代码', '公开', '摘要里']);
    expect(await publicTexts()).not.toContain('秘密');
    expect(report.comments).toMatchObject({ created: 2, held: 1 });
    const [draft] = await stage.rows("select secret, status from articles where title = '草稿'");
    expect([Number(draft?.['secret']), draft?.['status']]).toEqual([1, 'draft']);
  });

  test('imports them as secret again, and changes nothing', async () => {
    await stage.run(site);
    const again = await stage.run(site);
    expect(again.articles).toMatchObject({ created: 0, updated: 0, unchanged: 6 });
    expect(await publicTitles()).toEqual(['代码', '公开', '摘要里']);
  });

  test('imports them without those parts on request, unless the end of a part is unknown', async () => {
    const report = await stage.run(site, { omitsHidden: true });
    expect(notesOf(report)).toEqual(
      expect.arrayContaining([
        '文章《回复可见》：已略去隐藏部分（hide）',
        '文章《没有结束》：隐藏内容的标记不成对（login），已导入为私密',
      ]),
    );
    expect(await publicTitles()).toEqual(['代码', '公开', '回复可见', '摘要里']);
    const texts = await publicTexts();
    expect(texts).not.toContain('秘密');
    expect(texts).toMatch(/开头\W+结尾/);
  });

  test('makes an article secret that an earlier run had published', async () => {
    const early = { ...site, articles: [article('回复可见', '开头')] };
    await stage.run(early);
    expect(await publicTitles()).toEqual(['回复可见']);
    await stage.run(site);
    expect(await publicTitles()).toEqual(['代码', '公开', '摘要里']);
  });
});

/** The dump of the fixture with other articles: texts by title, in Typecho's own form. */
function dumpOf(texts: Record<string, string>): string {
  const rows = Object.entries(texts).map(
    ([title, text], at) =>
      `(${at + 1},'${title}','p${at}',1552000000,1552000000,'${text.replaceAll('\n', String.raw`\r\n`)}',0,1,NULL,'post','publish',NULL,0,'1','1','1',0,1)`,
  );
  const values = `INSERT INTO \`joe_contents\` VALUES ${rows.join(',')};\n`;
  const path = join(place, 'hidden.sql');
  const dump = readFileSync(DUMP, 'utf8');
  writeFileSync(
    path,
    dump.replace(/INSERT INTO `joe_contents` VALUES .*;\n/, () => values),
  );
  return path;
}

test('the lines that mark raw HTML in Typecho are left out, except in code; headings need no space', async () => {
  const text = '前\n\n!!!\n<h2>标题</h2>\n!!!\n\n```\n!!!\n```\n\n真好!!!\n\n!!!\n\n##小节';
  await runMoye(stage.storage, ['import', 'typecho', dumpOf({ 叹号: `<!--markdown-->${text}` })]);
  const [row] = await stage.rows("select id from articles where title = '叹号'");
  expect((await stage.app.services.articles.read(String(row?.['id']), null)).content).toBe(
    '前\n\n\n<h2>标题</h2>\n\n\n```\n!!!\n```\n\n真好!!!\n\n\n\n## 小节',
  );
});

describe('moye import typecho', () => {
  const texts = {
    标记: '<!--markdown-->公开\n\n[hide]\n回复可见的秘密\n[/hide]\n\n{login}登录可见的秘密{/login}\n\n完',
    网页: '第一段\n\n<b>粗</b><!--hide-->网页里的秘密<!--/hide-->\n[vip]会员的秘密[/vip]完',
    写法: '<!--markdown-->```\n[hide]\n示例\n[/hide]\n```',
  };

  test('keeps hidden parts to their author, and names the articles', async () => {
    const { code, output } = await runMoye(stage.storage, ['import', 'typecho', dumpOf(texts)]);
    expect(code).toBe(0);
    expect(output.split('\n')).toEqual(
      expect.arrayContaining([
        '  文章《标记》：含有隐藏内容（hide、login），已导入为私密',
        '  文章《网页》：含有隐藏内容（hide、vip），已导入为私密',
      ]),
    );
    expect(await publicTitles()).toEqual(['写法']);
    expect(await publicTexts()).not.toContain('秘密');
  });

  test('leaves them out with --omit-hidden', async () => {
    const words = ['import', 'typecho', dumpOf(texts), '--omit-hidden'];
    const { output } = await runMoye(stage.storage, words);
    expect(output).toContain('文章《标记》：已略去隐藏部分（hide、login）');
    expect(await publicTitles()).toEqual(['写法', '标记', '网页']);
    expect(await publicTexts()).not.toContain('秘密');
  });

  test.skipIf(!existsSync(CASE))('keeps the hidden parts of a real dump to their author', async () => {
    const { output } = await runMoye(stage.storage, ['import', 'typecho', CASE]);
    expect(output.match(/含有隐藏内容/g)).toHaveLength(2);
    expect(await publicTitles()).toEqual(['感叹号块']);
  });
});

test('a folder of Markdown files: secret, or without those parts', async () => {
  const folder = await openImportStage();
  try {
    const front = '---\ntags: [随笔]\n---\n';
    folder.put({
      'a.md': `${front}开头\n\n[hide]\n# 秘密的标题\n[/hide]\n\n结尾\n`,
      'b.mdx': `${front}开头\n\n<MembersOnly>\n秘密\n</MembersOnly>\n\n结尾\n`,
      'c.md': `${front}{% hideToggle 更多 %}折叠{% endhideToggle %}\n`,
      'd.md': `---\ntags: [随笔]\npassword: abc\n---\n正文\n`,
      'e.md': `${front}[hide]秘密[/hide]\n`,
    });
    const secret = async () =>
      [...(await folder.articles()).values()].flatMap((each) => (each.secret ? [each.title] : [])).toSorted();
    const { warnings } = await folder.run();
    expect(warnings).toEqual(
      expect.arrayContaining([
        { path: 'a.md', text: '含有隐藏内容（hide），已导入为私密' },
        { path: 'b.mdx', text: '含有隐藏内容（MembersOnly），已导入为私密' },
      ]),
    );
    expect(await secret()).toEqual(['b', 'd', 'e', '秘密的标题']);
    const { warnings: omitted, failures } = await folder.run({ omitsHidden: true });
    expect(omitted).toContainEqual({ path: 'a.md', text: '已略去隐藏部分（hide）' });
    expect(failures).toEqual([{ path: 'e.md', reason: '正文为空' }]);
    expect(await secret()).toEqual(['d', 'e']);
    expect((await folder.articles()).get('a')?.content).toMatch(/^开头\n+结尾/);
  } finally {
    await folder.close();
  }
});
