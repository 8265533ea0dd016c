import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runMoye } from './import-command.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const moye = (...words: string[]) => runMoye(stage, words);
const write = async (title: string): Promise<string> => {
  const fields = { title, content: '正文', tags: [], type: '', secret: false, status: 'normal' as const };
  return (await stage.app.services.articles.create(fields, stage.author)).id;
};
function csv(...lines: string[]): string {
  const file = join(stage.folder, 'old.csv');
  writeFileSync(file, lines.join('\n'));
  return file;
}
const leadTo = async (address: string) => (await stage.app.services.formerPaths.find(address))?.id ?? null;

describe('moye redirects', () => {
  test('adds former addresses and reports invalid ones', async () => {
    const id = await write('甲');
    const added = await moye(
      'redirects',
      'add',
      `/detail/${id}`,
      '/2020/甲/',
      'https://old.example/?p=3',
      '/home',
    );
    expect(added).toMatchObject({ code: 1, errors: '/home 是本站自己的地址\n' });
    expect(await leadTo('/2020/%E7%94%B2')).toBe(id);
    expect(await leadTo('/?p=3')).toBe(id);
  });

  test('lists and removes them', async () => {
    const id = await write('甲');
    await stage.app.services.formerPaths.addAll([{ address: '/2020/甲/', articleId: id }]);
    const { output } = await moye('redirects', 'list', '--article', id);
    expect(output).toBe(`/2020/甲,/detail/${id}\n`);
    expect(await moye('redirects', 'remove', '/2020/甲/index.html', '/2021')).toMatchObject({
      code: 1,
      output: '/2020/甲/index.html 已去掉\n',
      errors: '/2021 不是任何文章的旧地址\n',
    });
    expect(await leadTo('/2020/甲')).toBeNull();
  });

  test('imports a file: valid lines are added, bad ones reported, and a second run changes nothing', async () => {
    const [one, two] = [await write('甲'), await write('乙')];
    const file = csv(
      '\ufeff旧地址,文章',
      `/a/,${one}`,
      `"https://old.example/b,c/",/detail/${two}`,
      `/d,https://blog.example/detail/${two}?page=2`,
      '',
      '/x',
      `/detail/x,${one}`,
      `/e,${'f'.repeat(24)}`,
      `/a,${two}`,
      `  /f , ${one.toUpperCase()} \r`,
      '/g,/nothing',
    );
    const first = await moye('redirects', 'import', file);
    expect(first.code).toBe(1);
    expect(first.output).toBe('新增 4 个旧地址，0 个早已在，5 行有问题\n');
    expect(first.errors.trimEnd().split('\n')).toEqual([
      '第 6 行：/x 应有两列：旧地址,文章',
      '第 7 行：/detail/x 是本站自己的地址',
      `第 8 行：${'f'.repeat(24)} 没有这篇文章`,
      '第 9 行：/a 已经属于另一篇文章，先用 redirects remove 去掉',
      '第 11 行：/nothing 没有这篇文章',
    ]);
    expect(await Promise.all(['/a', '/b,c', '/d', '/f'].map(leadTo))).toEqual([one, two, two, one]);
    const again = await moye('redirects', 'import', file);
    expect(again.output).toBe('新增 0 个旧地址，4 个早已在，5 行有问题\n');
  });

  test('imports addresses that redirect to a former one', async () => {
    const id = await write('甲');
    await stage.app.services.formerPaths.addAll([{ address: '/b,c', articleId: id }]);
    const { errors, output } = await moye('redirects', 'import', csv('/wrong,/b,c/', '/older,"/b,c/"'));
    expect(errors).toBe('第 1 行：/b 没有这篇文章\n');
    expect(output).toBe('新增 1 个旧地址，0 个早已在，1 行有问题\n');
    expect(await leadTo('/older')).toBe(id);
  });

  test('can import its own listing', async () => {
    const id = await write('甲');
    const addresses = ['/a b', '/100%25', '/"q",x', '/?p=9', '/标签/甲'];
    await stage.app.services.formerPaths.addAll(addresses.map((address) => ({ address, articleId: id })));
    const { output } = await moye('redirects', 'list');
    expect((await moye('redirects', 'import', csv(output))).output).toContain('5 个早已在，0 行有问题');
  });

  test('imports many lines in batches', async () => {
    const id = await write('甲');
    const file = csv(...Array.from({ length: 1_234 }, (_, index) => `/old/${index},${id}`));
    expect(await moye('redirects', 'import', file)).toMatchObject({
      code: 0,
      output: '新增 1234 个旧地址，0 个早已在，0 行有问题\n',
    });
    expect(await leadTo('/old/1233')).toBe(id);
  });

  test('reports files that are not CSV in one line', async () => {
    const file = join(stage.folder, 'gbk.csv');
    writeFileSync(file, Buffer.from([0x2f, 0xc4, 0xe3, 0x2c, 0x61]));
    expect(await moye('redirects', 'import', file)).toMatchObject({
      code: 1,
      errors: 'moye：文件不是 UTF-8 编码：请另存为 UTF-8 的 CSV\n',
    });
    writeFileSync(file, 'x'.repeat(200_000));
    expect((await moye('redirects', 'import', file)).errors).toBe('moye：第 1 行过长，不像 CSV 文件\n');
    const missing = join(stage.folder, 'none.csv');
    expect((await moye('redirects', 'import', missing)).errors).toBe(
      `moye：不能查看 ${missing}：文件或文件夹不存在\n`,
    );
  });
});
