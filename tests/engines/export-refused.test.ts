import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LISTS, MANIFEST } from '../../src/lib/server/export/format.ts';
import { openBackupStage, type BackupStage, type Home } from './backup-stage.ts';
import { exportFrom, importInto, openHome } from './export-stage.ts';
import { runMoye, spawnMoye } from './import-command.ts';

let stage: BackupStage;
let site: Home;
let whole: string;
beforeAll(async () => {
  stage = await openBackupStage();
  site = await stage.site();
  await addNoise(site);
  whole = join(stage.folder, 'whole');
  await exportFrom(site, whole);
});
afterAll(() => stage.close());

/** Adds a picture that zip cannot compress. */
async function addNoise(home: Home): Promise<void> {
  const app = await openHome(home);
  const { users, files } = app.services;
  const owner = { id: (await users.find('作者'))?._id ?? '', username: '作者', signinId: '', origin: '' };
  const raw = { width: 200, height: 200, channels: 3 } as const;
  await files.saveImage(
    owner,
    await sharp(randomBytes(200 * 200 * 3), { raw })
      .png()
      .toBuffer(),
  );
  await app.close();
}

let count = 0;
const fresh = () => join(stage.folder, `case-${++count}`);

/** Returns a modified copy of the export. */
function changed(change: (folder: string) => void): string {
  const folder = fresh();
  cpSync(whole, folder, { recursive: true });
  change(folder);
  return folder;
}

/** Creates a zip of a manifest and `files`; `rename` inserts names that no tool would produce. */
async function zipOf(
  files: Record<string, string | Uint8Array>,
  rename: [string, string][] = [],
): Promise<string> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  const manifest = readFileSync(join(whole, MANIFEST), 'utf8');
  for (const [path, content] of Object.entries({ [MANIFEST]: manifest, ...files }))
    await zip.add(
      path,
      typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content),
    );
  let bytes = Buffer.from(await zip.close()).toString('latin1');
  for (const [from, to] of rename) bytes = bytes.replaceAll(from, to);
  const file = `${fresh()}.zip`;
  writeFileSync(file, bytes, 'latin1');
  return file;
}

const empty = () => stage.home(`home-${++count}`);
/** Returns the reason why an export is refused, and checks that nothing was written. */
async function refusalOf(path: string): Promise<string> {
  const there = await empty();
  const why = await importInto(there, path).then(
    () => 'it was not',
    (error: unknown) => (error as Error).message,
  );
  return (await there.storage.count('select count(*) from users')) === 0 ? why : 'something was written';
}

describe('unreadable input is refused in one line, and nothing is written', () => {
  test('a folder, a file or a zip that is not an export', async () => {
    const folder = fresh();
    mkdirSync(folder);
    expect(await refusalOf(folder)).toContain('不是墨页的导出：里面没有 moye.json');
    const file = `${fresh()}.zip`;
    writeFileSync(file, '不是 zip');
    expect(await refusalOf(file)).toContain('压缩包已损坏，或不是 zip');
    expect(await refusalOf(join(stage.folder, 'nothing'))).toMatch(/ENOENT/);
  });

  test('a truncated or modified zip', async () => {
    const file = join(stage.folder, 'whole.zip');
    await exportFrom(site, file);
    const bytes = readFileSync(file);
    const cut = `${fresh()}.zip`;
    writeFileSync(cut, bytes.subarray(0, bytes.length - 200));
    expect(await refusalOf(cut)).toContain('压缩包已损坏，或不是 zip');
    const at = bytes.indexOf(LISTS.users) + LISTS.users.length + 60;
    const bad = `${fresh()}.zip`;
    writeFileSync(
      bad,
      Buffer.concat([bytes.subarray(0, at), Buffer.alloc(40, 0xff), bytes.subarray(at + 40)]),
    );
    expect(await refusalOf(bad)).toMatch(/压缩包已损坏|读不懂/);
  });

  test.each([
    '../../etc/evil.md',
    '/absolute/evil.md',
    'posts/../../evil',
    'C:/windows/evil.x',
    'posts\\..\\evil.md',
  ])('a zip with %j in it', async (name) => {
    const plain = 'p'.repeat(name.length);
    expect(await refusalOf(await zipOf({ [plain]: 'x' }, [[plain, name]]))).toContain('压缩包');
  });

  test('two files of one name', async () => {
    const twice = await zipOf({ 'posts/a.md': 'x', 'posts/b.md': 'y' }, [['posts/b.md', 'posts/a.md']]);
    expect(await refusalOf(twice)).toContain('压缩包');
  });

  test('a bomb', async () => {
    const bomb = await zipOf({ [LISTS.users]: new Uint8Array(64 * 1024 * 1024) });
    expect(await refusalOf(bomb)).toContain(`${LISTS.users} 大得不合理`);
  });

  test('an invalid manifest, and a newer format', async () => {
    const line = (path: string, from: string | RegExp, to: string) =>
      changed((folder) =>
        writeFileSync(join(folder, path), readFileSync(join(folder, path), 'utf8').replace(from, to)),
      );
    expect(await refusalOf(line(LISTS.users, '{"id"', '{"id'))).toContain(`${LISTS.users} 的第 2 行读不懂`);
    expect(await refusalOf(line(LISTS.users, /"username":"[^"]*"/, '"username":7'))).toContain(
      '读不懂（username）',
    );
    expect(await refusalOf(line(LISTS.users, /"avatar":"[^"]+"/, '"avatar":"../../x.png"'))).toContain(
      '读不懂（avatar）',
    );
    expect(await refusalOf(line(LISTS.users, /"website":"/, '"website":"javascript:'))).toContain(
      '读不懂（website）',
    );
    expect(await refusalOf(line(LISTS.users, /"links":\["/, '"links":["data:'))).toContain('读不懂（links');
    expect(await refusalOf(line(LISTS.users, /"display_name":"/, '"display_name":"\\u202e'))).toContain(
      '读不懂（display_name）',
    );
    expect(await refusalOf(line(MANIFEST, '"moye_export": 1', '"moye_export": 2'))).toContain(
      '更新版本的墨页',
    );
    expect(await refusalOf(line(MANIFEST, '{', ''))).toContain(`${MANIFEST}读不懂`);
  });

  test('fake pictures are left out; symbolic links are not followed', async () => {
    const folder = changed((copy) => {
      const pictures = join(copy, 'authors/作者/pictures');
      for (const name of readdirSync(pictures))
        writeFileSync(join(pictures, name), '<script>alert(1)</script>');
      const posts = join(copy, 'authors/作者/posts');
      const [post = ''] = readdirSync(posts);
      cpSync(join(posts, post), join(stage.folder, 'outside.md'));
      rmSync(join(posts, post));
      symlinkSync(join(stage.folder, 'outside.md'), join(posts, post));
    });
    const there = await empty();
    const report = await importInto(there, folder);
    expect(report.counts.pictures).toEqual({ created: 0, same: 0, left: 3 });
    expect(report.losses.filter(({ why }) => why === '不是图片')).toHaveLength(3);
    expect(report.counts.articles.created).toBe(5);
    expect(await there.storage.count('select count(*) from files')).toBe(0);
  });
});

describe('an unfinished export leaves no file under its name', () => {
  test.each(['out', 'out.zip'])('stopped midway (%s)', async (name) => {
    const target = `${fresh()}-${name}`;
    const stop = new AbortController();
    stop.abort();
    const before = readdirSync(stage.folder).sort();
    await expect(exportFrom(site, target, { signal: stop.signal })).rejects.toThrow(/abort/i);
    expect(readdirSync(stage.folder).sort()).toEqual(before);
  });

  test.each(['full', 'full.zip'])('with a full disk (%s)', async (name) => {
    const target = `${fresh()}-${name}`;
    const before = readdirSync(stage.folder).sort();
    const { code, errors, output } = await spawnMoye(site.storage, ['export', 'site', target], {
      largestFile: 65_536,
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toBe('moye：文件超过了系统允许的大小\n');
    expect(readdirSync(stage.folder).sort()).toEqual(before);
  });

  test('leftovers of a killed export are removed by the next', async () => {
    const target = fresh();
    const left = `${target}.999999999.partial`;
    mkdirSync(join(left, 'posts'), { recursive: true });
    writeFileSync(join(left, 'posts', 'x.md'), 'x');
    await exportFrom(site, target);
    expect(existsSync(left)).toBe(false);
    await expect(exportFrom(site, target)).rejects.toThrow('已经存在，不会覆盖');
    await expect(exportFrom(site, fresh(), { author: '没有这个人' })).rejects.toThrow('没有用户 没有这个人');
  });
});

test('the commands report what they did', async () => {
  const target = `${fresh()}.zip`;
  const exported = await runMoye(site.storage, ['export', 'author', '作者', target]);
  expect(exported).toMatchObject({ code: 0, errors: '' });
  expect(exported.output).toMatch(/^已导出：6 篇文章，3 个历史版本，2 条评论，3 张图片，状态截至 \S+\n$/);
  const there = await stage.home(`home-${++count}`);
  const imported = await runMoye(there.storage, ['import', 'moye', target]);
  expect(imported).toMatchObject({ code: 0, errors: '' });
  expect(imported.output.split('\n')).toEqual([
    '用户：导入 2',
    '图片：导入 3',
    '标签：导入 3',
    '专栏：导入 1',
    '文章：导入 4，没有导入 2',
    '历史版本：导入 3',
    '评论：导入 2',
    '没有密码的新账号：作者、读者。用 moye user passwd 设置后才能登录',
    '没有导入或有出入的（2）：',
    expect.stringMatching(/关于\.md：是网站的页面，它的作者在这里不是站长$/),
    expect.stringMatching(/联系\.md：是网站的页面，它的作者在这里不是站长$/),
    '',
  ]);
  const missing = join(stage.folder, 'nothing');
  expect(await runMoye(there.storage, ['import', 'moye', missing])).toMatchObject({
    code: 1,
    errors: `moye：不能查看 ${missing}：文件或文件夹不存在\n`,
  });
});
