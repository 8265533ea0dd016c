import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { siteOf, writeFiles } from './import-stage.ts';

let place: string;
let storage: TestStorage;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-command-'));
  storage = await createStorage(join(place, 'data'));
});
afterAll(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

const moye = (...words: string[]) => runMoye(storage, words);
const signsIn = async (username: string, password: string): Promise<boolean> => {
  const app = await createApp(readConfig(siteOf(storage)));
  try {
    return await app.services.auth.verifyPassword(username, password);
  } finally {
    await app.close();
  }
};
const passwordIn = (output: string) => /密码：(\S+)/.exec(output)?.[1] ?? '';

describe('moye user', () => {
  test('adds an account with a password from standard input, which then signs in', async () => {
    const words = ['user', 'add', '张三', '--password-stdin', '--bio', '写字的人'];
    const { code, output } = await runMoye(storage, words, { input: '一个足够长的密码\n' });
    expect([code, output]).toEqual([0, '已创建用户 张三\n']);
    expect(await signsIn('张三', '一个足够长的密码')).toBe(true);
  });

  test('generates a working password, and changes it', async () => {
    const added = await moye('user', 'add', 'lisi', '--generate');
    const first = passwordIn(added.output);
    expect(await signsIn('lisi', first)).toBe(true);
    const second = passwordIn((await moye('user', 'passwd', 'lisi', '--generate')).output);
    expect([await signsIn('lisi', first), await signsIn('lisi', second)]).toEqual([false, true]);
  });

  test('refuses what sign-up refuses in one line', async () => {
    const taken = await moye('user', 'add', 'LISI', '--generate');
    expect([taken.code, taken.errors]).toEqual([1, 'moye：该用户名已被使用\n']);
    expect((await moye('user', 'add', 'a b', '--generate')).errors).toBe(
      'moye：用户名只能包含文字、数字、下划线和连字符\n',
    );
    const short = await runMoye(storage, ['user', 'passwd', 'lisi', '--password-stdin'], { input: '短\n' });
    expect([short.code, short.errors]).toEqual([1, 'moye：密码应为 8–128 个字符\n']);
    expect((await moye('user', 'passwd', 'nobody', '--generate')).errors).toBe('moye：用户不存在\n');
    expect((await moye('user', 'add', 'wangwu')).errors).toMatch(/^moye：这里不是终端：/);
  });

  test('lists accounts in columns aligned for Chinese names', async () => {
    const { output } = await moye('user', 'list');
    expect(output.replace(/\d{4}-\d\d-\d\d/g, 'date')).toBe(
      [
        '用户名  身份  文章  草稿  创建日期',
        '张三    作者     0     0  date',
        'lisi    作者     0     0  date',
        '',
      ].join('\n'),
    );
  });
});

describe('moye import markdown', () => {
  test('imports, reports numbers without a progress bar, and makes the author when asked', async () => {
    const folder = join(place, 'blog');
    writeFiles(folder, { 'a.md': '甲', 'empty.md': '', 'b.md': '乙 ![](none.png)' });
    const unknown = await moye('import', 'markdown', folder, '--author', '新人');
    expect([unknown.code, unknown.output]).toEqual([1, '']);
    expect(unknown.errors).toBe(
      'moye：没有用户 新人：先用 moye user add 新人 新建，或加上 --create-author\n',
    );
    const words = ['import', 'markdown', folder, '--author', '新人', '--create-author'];
    const dry = await moye(...words, '--dry-run');
    expect(dry.output).toContain('共 3 个文件：新增 2，更新 0，未变 0，失败 1，警告 1');
    expect(await storage.count("select count(*) from users where username = '新人'")).toBe(0);
    const { code, output, errors } = await moye(...words);
    expect([code, errors]).toEqual([0, '']);
    expect(await signsIn('新人', passwordIn(output))).toBe(true);
    expect(output).toContain('1 个文件没有导入：\n  empty.md：正文为空\n');
    expect(output).toContain('  b.md：找不到图片，文中留下说明：none.png\n');
    expect(output.trimEnd().split('\n').at(-1)).toBe('共 3 个文件：新增 2，更新 0，未变 0，失败 1，警告 1');
  });

  test('takes pages by their place as articles on request', async () => {
    const folder = join(place, 'pages');
    writeFiles(folder, { '_posts/a.md': '甲', 'notes/b.md': '乙' });
    const words = ['import', 'markdown', folder, '--author', 'lisi', '--dry-run'];
    expect((await moye(...words)).output).toContain('新增 1，更新 0，未变 0，页面 1，');
    expect((await moye(...words, '--pages-as-articles')).output).toContain('新增 2，更新 0，未变 0，失败 0');
  });

  test('exits with 1 when every file failed, and when the folder is missing', async () => {
    const folder = join(place, 'bad');
    writeFiles(folder, { 'a.md': '' });
    expect((await moye('import', 'markdown', folder, '--author', 'lisi')).code).toBe(1);
    const missing = await moye('import', 'markdown', join(place, 'nowhere'), '--author', 'lisi');
    expect([missing.code, missing.errors]).toEqual([
      1,
      `moye：不能查看 ${join(place, 'nowhere')}：文件或文件夹不存在\n`,
    ]);
    const empty = join(place, 'empty');
    mkdirSync(empty);
    const none = await moye('import', 'markdown', empty, '--author', 'lisi');
    expect([none.code, none.errors]).toEqual([
      1,
      'moye：文件夹里没有 Markdown 文件（.md、.markdown、.mdx）\n',
    ]);
  });
});

describe('moye', () => {
  test('help lists every command', async () => {
    const { code, output } = await moye('help');
    expect(code).toBe(0);
    for (const command of ['import markdown', 'user add', 'user passwd', 'user list', 'move'])
      expect(output).toContain(command);
    const { output: shown } = await moye('user', 'add', '--help');
    expect(shown).toContain('--password-stdin');
    for (const words of [['user', 'add'], ['user add']])
      expect(await moye('help', ...words)).toMatchObject({ code: 0, output: shown });
  });

  test.each([
    [['nonsense'], '没有这个命令 nonsense'],
    [['help', 'nonsense'], '没有这个命令 nonsense'],
    [['help', 'user nonsense'], '没有这个命令 nonsense'],
    [['user', 'remove'], '没有这个命令 remove'],
    [['user', 'list', '--wrong'], '没有这个选项 --wrong'],
    [['user', 'add'], '缺少参数 name'],
    [['import', 'markdown', '.'], '缺少选项 --author <name>'],
  ])('%j is refused with a sentence and the help', async (words, sentence) => {
    const { code, output, errors } = await moye(...words);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(new RegExp(`^moye：${sentence}\\n\\n用法: moye`));
  });

  test('reports problems with settings or storage in one line', async () => {
    const wrong = await runMoye(storage, ['user', 'list'], { environment: { PORT: 'x' } });
    expect([wrong.code, wrong.errors]).toEqual([1, 'moye：PORT must be a whole number from 0 to 65535\n']);
    writeFileSync(join(place, 'file'), '');
    const unusable = await runMoye({ settings: { DATA_DIR: join(place, 'file') } }, ['user', 'list']);
    expect(unusable.code).toBe(1);
    expect(unusable.errors.trimEnd().split('\n')).toHaveLength(1);
  });

  test('works while the site is running', async () => {
    const app = await createApp(readConfig(siteOf(storage)));
    try {
      expect((await moye('user', 'add', '后来者', '--generate')).code).toBe(0);
      expect(await app.services.users.find('后来者')).toMatchObject({ username: '后来者' });
    } finally {
      await app.close();
    }
  });
});
