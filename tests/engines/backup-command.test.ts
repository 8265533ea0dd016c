import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestsOf, moye, openBackupStage, type BackupStage } from './backup-stage.ts';

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

test('moye backup and moye restore copy a site, into the settings’ database or a named one', async () => {
  const site = await stage.site();
  const file = join(stage.folder, 'a.tar.zst');
  expect(await moye(site, 'backup', file)).toMatchObject({ code: 0, errors: '' });
  const [there, named] = [await stage.home('there'), await stage.home('named')];
  expect(await moye(there, 'restore', file)).toMatchObject({ code: 0, errors: '' });
  expect(await moye(there, 'restore', file, '--to', named.address)).toMatchObject({ code: 0, errors: '' });
  for (const { address } of [there, named])
    expect(await digestsOf(address)).toEqual(await digestsOf(site.address));
});

test('failures are reported in one line', async () => {
  const site = await stage.site();
  const { file } = await stage.backUp(site);
  const there = await stage.home('there', { isSqlite: true });
  const short = join(stage.folder, 'short');
  writeFileSync(short, 'short\n');
  const cases: [words: string[], said: RegExp][] = [
    [['backup', file], /^moye：\S+a\.tar\.zst 已经存在，不会覆盖：请换一个文件名\n$/],
    [['restore', join(stage.folder, 'nothing')], /^moye：不能打开 \S+nothing：文件或文件夹不存在\n$/],
    [['restore', short], /^moye：不是墨页的备份文件\n$/],
    [['restore', file, '--to', 'mysql://x'], /^moye：数据库的地址应为 [^\n]+\n$/],
    [['backup', 'x', '--passphrase-file', short], /^moye：口令至少要有 12 个字符\n$/],
    [
      ['backup', 'x', '--passphrase-file', join(stage.folder, 'none')],
      /^moye：不能打开 \S+none：文件或文件夹不存在\n$/,
    ],
    [['backup', join(short, 'b.tar.zst')], /^moye：不能新建文件夹 \S+short：不是文件夹\n$/],
    [['backup', '/proc/b.tar.zst'], /^moye：不能(?:读写|打开) \/proc\S*：(?:没有权限|文件或文件夹不存在)\n$/],
    [['backup'], /^moye：缺少参数 file\n/],
  ];
  for (const [words, said] of cases) {
    const { code, output, errors } = await moye(words[0] === 'restore' ? there : site, ...words);
    expect([code, output], words.join(' ')).toEqual([1, '']);
    expect(errors, words.join(' ')).toMatch(said);
  }
  expect(existsSync(join(there.dataDir, 'moye.sqlite'))).toBe(false);
});
