import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportStage, openImportStage, writeFiles } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const picture = (background: string) =>
  sharp({ create: { width: 4, height: 4, channels: 3, background } })
    .png()
    .toBuffer();
const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
const write = (path: string, text: string) => writeFileSync(join(stage.folder, path), text);

/** Edits the article the way its author would in the editor. */
async function editOnSite(title: string, content: string): Promise<void> {
  const article = (await stage.articles()).get(title);
  if (!article) throw new Error(`no article ${title}`);
  const { _id: id, tags, secret } = article;
  await stage.app.services.articles.edit(
    { id, title, tags, content, secret, status: 'normal', type: '' },
    stage.author,
  );
}

describe('a second run', () => {
  test('imports nothing twice', async () => {
    stage.put({ 'a.md': '甲，见[乙](b.md)', 'b.md': '乙 ![图](p.png)', 'p.png': await picture('#111') });
    expect((await stage.run()).counts).toEqual({ ...none, created: 2 });
    const before = await stage.articles();
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 2 });
    expect(await stage.articles()).toEqual(before);
    expect(await stage.count('select count(*) from files')).toBe(1);
  });

  test('updates what changed, under the same URL, and adds new articles', async () => {
    stage.put({ 'a.md': '---\ntitle: 甲\ndate: 2020-01-01\n---\n旧', 'b.md': '乙' });
    await stage.run();
    const before = (await stage.articles()).get('甲');
    stage.put({ 'a.md': '---\ntitle: 甲\ndate: 2020-01-01\n---\n新', 'c.md': '丙' });
    expect((await stage.run()).counts).toEqual({ ...none, created: 1, updated: 1, unchanged: 1 });
    const after = (await stage.articles()).get('甲');
    expect(after).toMatchObject({ _id: before?._id, content: '新', create_time: before?.create_time });
    expect(after?.update_time).not.toBe(before?.update_time);
  });

  test('a file with only a new modification time is not updated', async () => {
    stage.put({ 'a.md': '甲' });
    await stage.run();
    utimesSync(join(stage.folder, 'a.md'), new Date(0), new Date(0));
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 1 });
  });

  test('an article edited on the site is not overwritten without --force', async () => {
    stage.put({ 'a.md': '旧' });
    await stage.run();
    await editOnSite('a', '站内修改');
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 1 });
    write('a.md', '新');
    const report = await stage.run();
    expect(report.counts).toEqual({ ...none, skipped: 1 });
    expect(report.warnings[0]?.text).toContain('在站内修改过');
    expect((await stage.articles()).get('a')?.content).toBe('站内修改');
    expect((await stage.run({ force: true })).counts).toEqual({ ...none, updated: 1 });
    expect((await stage.articles()).get('a')?.content).toBe('新');
  });

  test('an article deleted on the site stays deleted without --force, and links are updated when it returns', async () => {
    stage.put({ 'a.md': '旧', 'b.md': '见[甲](a.md)' });
    await stage.run();
    const id = (await stage.articles()).get('a')?._id ?? '';
    await stage.app.services.articles.remove(id, stage.author);
    write('a.md', '新');
    expect((await stage.run()).counts).toEqual({ ...none, skipped: 1, unchanged: 1 });
    expect((await stage.run({ force: true })).counts).toEqual({ ...none, created: 1, updated: 1 });
    const articles = await stage.articles();
    expect(articles.get('b')?.content).toBe(`见[甲](/detail/${articles.get('a')?._id})`);
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 2 });
  });

  test('a file deleted from the folder leaves its article alone', async () => {
    stage.put({ 'a.md': '甲', 'b.md': '乙' });
    await stage.run();
    rmSync(join(stage.folder, 'b.md'));
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 1 });
    expect([...(await stage.articles()).keys()].sort()).toEqual(['a', 'b']);
  });

  test('a moved folder is recognised, another with the same file names is not', async () => {
    stage.put({ 'a.md': '甲', 'b.md': '乙', 'c.md': '丙' });
    await stage.run();
    const moved = join(dirname(stage.folder), 'moved');
    renameSync(stage.folder, moved);
    writeFileSync(join(moved, 'c.md'), '丙，改');
    expect((await stage.run({ folder: moved })).counts).toEqual({ ...none, unchanged: 2, updated: 1 });
    const other = join(dirname(stage.folder), 'other');
    writeFiles(other, { 'a.md': '另一个甲', 'b.md': '另一个乙' });
    expect((await stage.run({ folder: other })).counts).toEqual({ ...none, created: 2 });
  });
});

describe('bad files', () => {
  test('are listed with their reasons and do not stop the import', async () => {
    stage.put({
      'good.md': '好的，见[坏的](yaml.md)',
      'yaml.md': '---\ntitle: [没有闭合\n---\n正文',
      'toml.md': '+++\ntitle = \n+++\n正文',
      'json.md': '{ "title": }\n正文',
      'empty.md': '---\ntitle: 空\n---\n\n',
      'long.md': '长'.repeat(200_001),
      'huge.md': 'x'.repeat(3 * 1024 * 1024),
      'binary.md': new Uint8Array([0x89, 0x50, 0, 0, 0, 0xff]),
      'deep.md': '>'.repeat(5_000),
    });
    symlinkSync('/nonexistent', join(stage.folder, 'dangling.md'));
    const report = await stage.run();
    expect(report.counts).toMatchObject({ created: 1, failed: 8 });
    const reasons = new Map(report.failures.map(({ path, reason }) => [path, reason]));
    expect(reasons.get('yaml.md')).toMatch(/^文件开头的 YAML 信息无法解析：/);
    expect(reasons.get('toml.md')).toMatch(/^文件开头的 TOML 信息无法解析：/);
    expect(reasons.get('json.md')).toMatch(/^文件开头的 JSON 信息无法解析：/);
    expect(reasons.get('empty.md')).toBe('正文为空');
    expect(reasons.get('long.md')).toBe('正文不能超过 200000 个字符');
    expect(reasons.get('huge.md')).toBe('文件过大（3.0 MiB）');
    expect(reasons.get('binary.md')).toMatch(/^不是文本文件/);
    expect(reasons.get('deep.md')).toMatch(/嵌套过深|过于复杂/);
    expect(report.warnings).toContainEqual({ path: 'dangling.md', text: '无法读取（ENOENT）' });
    expect((await stage.articles()).get('good')?.content).toBe('好的，见[坏的](yaml.md)');
  });

  test('links to an article that cannot be rendered stay unchanged, and a second run changes nothing', async () => {
    stage.put({ 'a.md': '见[难](z.md)', 'z.md': `${'<div>'.repeat(400)}难` });
    const report = await stage.run();
    expect(report.counts).toEqual({ ...none, created: 1, failed: 1 });
    expect(report.failures[0]?.reason).toContain('正文结构过于复杂');
    expect((await stage.articles()).get('a')?.content).toBe('见[难](z.md)');
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 1, failed: 1 });
    write('z.md', '不难了');
    expect((await stage.run()).counts).toEqual({ ...none, created: 1, updated: 1 });
    const articles = await stage.articles();
    expect(articles.get('a')?.content).toBe(`见[难](/detail/${articles.get('z')?._id})`);
  });

  test('values beyond the contract’s bounds are cut and reported', async () => {
    const tags = Array.from({ length: 12 }, (_, index) => `标签${index}`);
    const title = `${'题'.repeat(118)}👨‍👩‍👧尾巴`;
    stage.put({
      'a.md': `---\ntitle: ${title}\ntags: [${'长'.repeat(31)}, ' #甲 ', 甲, ${tags.join(', ')}]\n---\n正文`,
    });
    const report = await stage.run();
    const [article] = [...(await stage.articles()).values()];
    expect(article?.title).toBe(`${'题'.repeat(118)}…`);
    expect(article?.tags).toEqual([`${'长'.repeat(29)}…`, '甲', ...tags.slice(0, 8)]);
    expect(report.warnings.map(({ text }) => text)).toEqual([
      '标题超过 120 个字符，已截短',
      '标签超过 30 个字符，已截短',
      '标签超过 10 个，没有保留：标签8、标签9、标签10、标签11',
    ]);
  });

  test('text in other encodings is read', async () => {
    stage.put({
      'utf16.md': Buffer.from('\ufeff---\r\ntitle: 宽字符\r\n---\r\n第一行\r\n第二行', 'utf16le'),
      // 中文 in GBK.
      'gbk.md': new Uint8Array([0xd6, 0xd0, 0xce, 0xc4]),
      'bom.md': '\ufeff---\ntitle: 有标记\n---\n正文',
    });
    const report = await stage.run();
    const articles = await stage.articles();
    expect(articles.get('宽字符')?.content).toBe('第一行\n第二行');
    expect(articles.get('gbk')?.content).toBe('中文');
    expect(articles.has('有标记')).toBe(true);
    expect(report.warnings).toEqual([{ path: 'gbk.md', text: '文件不是 UTF-8，已按 GB18030 读取' }]);
  });

  test('an article dated in the future becomes a draft', async () => {
    stage.put({ 'a.md': '---\ndate: 2099-01-01\n---\n还没到时候' });
    await stage.run();
    expect((await stage.articles()).get('a')?.status).toBe('draft');
  });
});

describe('pictures', () => {
  test('a picture is stored once, whatever its names and in any run', async () => {
    const bytes = await picture('#222');
    stage.put({ 'a.md': '![](x.png) ![](sub/y.png)', 'x.png': bytes, 'sub/y.png': bytes });
    await stage.run();
    stage.put({ 'b.md': '![](z.png)', 'z.png': bytes });
    await stage.run();
    expect(await stage.count('select count(*) from files')).toBe(1);
    expect(readdirSync(join(stage.dataDir, 'uploads'))).toHaveLength(1);
  });

  test('one that cannot be read is reported and noted in the text, also in the second run', async () => {
    stage.put({ 'a.md': '![](bad.png) ![图标](icon.svg)', 'bad.png': 'no picture', 'icon.svg': '<svg/>' });
    const report = await stage.run();
    expect(report.counts).toEqual({ ...none, created: 1 });
    expect(report.warnings).toHaveLength(2);
    expect((await stage.articles()).get('a')?.content).toBe(
      '（图片缺失：`bad.png`） （图片缺失“图标”：`icon.svg`）',
    );
    expect((await stage.run()).counts).toEqual({ ...none, unchanged: 1 });
  });

  test('no link and no path leaves the folder', async () => {
    const outside = dirname(stage.folder);
    writeFileSync(join(outside, 'secret.png'), await picture('#333'));
    writeFileSync(join(outside, 'secret.md'), '秘密');
    mkdirSync(join(outside, 'private'));
    writeFileSync(join(outside, 'private', 'diary.md'), '日记');
    symlinkSync(join(outside, 'secret.png'), join(stage.folder, 'link.png'));
    symlinkSync(join(outside, 'secret.md'), join(stage.folder, 'link.md'));
    symlinkSync(join(outside, 'private'), join(stage.folder, 'private'));
    symlinkSync(stage.folder, join(stage.folder, 'loop'));
    stage.put({ 'a.md': '![](../secret.png) ![](link.png) ![](%2e%2e/secret.png) ![](/../secret.png)' });
    const report = await stage.run();
    expect([...(await stage.articles()).keys()]).toEqual(['a']);
    expect(await stage.count('select count(*) from files')).toBe(0);
    expect(report.warnings.map(({ path }) => path).sort()).toEqual([
      'a.md',
      'a.md',
      'a.md',
      'a.md',
      'link.md',
      'private',
    ]);
  });
});

test('node_modules and hidden folders are left out', async () => {
  stage.put({ 'a.md': '甲', 'node_modules/p/README.md': '乙', '.git/x.md': '丙', '.vuepress/y.md': '丁' });
  expect((await stage.run()).total).toBe(1);
});

test('a dry run reports the same and writes nothing', async () => {
  stage.put({ 'a.md': '甲 ![](p.png)', 'b.md': '乙', 'bad.md': '', 'p.png': await picture('#444') });
  const dry = await stage.run({ isDryRun: true });
  expect(dry.counts).toEqual({ ...none, created: 2, failed: 1 });
  for (const table of ['articles', 'imports', 'files', 'tags']) {
    expect(await stage.count(`select count(*) from ${table}`)).toBe(0);
  }
  expect((await stage.run()).counts).toEqual(dry.counts);
  write('b.md', '乙，改');
  expect((await stage.run({ isDryRun: true })).counts).toEqual({
    ...none,
    updated: 1,
    unchanged: 1,
    failed: 1,
  });
  expect((await stage.articles()).get('b')?.content).toBe('乙');
});

test('two concurrent runs create each article once', async () => {
  stage.put(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.md`, `第 ${index} 篇`])));
  await Promise.all([stage.run(), stage.run()]);
  expect((await stage.articles()).size).toBe(12);
  expect(await stage.count('select page_num from users')).toBe(12);
});

test('a stopped run ends early, and the next one resumes', async () => {
  stage.put(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.md`, `第 ${index} 篇`])));
  const interrupt = new AbortController();
  const report = await stage.run({
    signal: interrupt.signal,
    onProgress: (done) => done >= 5 && interrupt.abort(),
  });
  expect(report.wasStopped).toBe(true);
  expect(report.counts.created).toBeGreaterThanOrEqual(5);
  expect(report.counts.created).toBeLessThan(20);
  const { created, unchanged } = (await stage.run()).counts;
  expect([created + unchanged, unchanged]).toEqual([20, report.counts.created]);
});
