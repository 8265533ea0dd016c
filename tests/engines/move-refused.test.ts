import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { everything, fillSite, openMoveStage, openSite, PASSWORD, type MoveStage } from './move-stage.ts';

let stage: MoveStage;
beforeEach(async () => {
  stage = await openMoveStage();
});
afterEach(() => stage.close());

describe(`a move to ${ENGINE}`, () => {
  test('refuses a non-empty target, and leaves it unchanged', async () => {
    await fillSite(stage.dataDir);
    const site = await openSite(stage.targetDir, stage.target.settings);
    await site.services.accounts.add({ username: '别人', password: PASSWORD, bio: '' });
    await site.close();
    const before = await everything(stage.to);
    for (const isDryRun of [false, true]) {
      await expect(stage.move({ isDryRun })).rejects.toThrow(
        '目标数据库里已有别的数据（users 1 行、counters 3 行），不会覆盖：请换一个空的数据库',
      );
    }
    expect(await everything(stage.to)).toEqual(before);
  });

  test('refuses a target begun from another source, another program’s tables, and itself', async () => {
    await fillSite(stage.dataDir);
    await expect(stage.move({ to: stage.from })).rejects.toThrow('来源与目标是同一个数据库');
    const foreign = `sqlite:${join(stage.dataDir, 'foreign.sqlite')}`;
    const other = new DatabaseSync(foreign.slice(7));
    other.exec('create table users (id integer)');
    other.close();
    await expect(stage.move({ to: foreign })).rejects.toThrow(
      '目标数据库里已有别的程序的表（users 等），请换一个空的数据库',
    );
    await expect(stage.move({ from: foreign })).rejects.toThrow('来源不是墨页的数据库');
    const interrupt = new AbortController();
    interrupt.abort();
    await expect(stage.move({ signal: interrupt.signal })).rejects.toThrow('aborted');
    const elsewhere = join(stage.dataDir, '..', 'elsewhere');
    await fillSite(elsewhere);
    await expect(stage.move({ from: `sqlite:${join(elsewhere, 'moye.sqlite')}` })).rejects.toThrow(
      /^目标数据库里有一次没有完成的搬家，来自 \S+old\/moye\.sqlite：/,
    );
  });

  test.each([
    ['nothing', '数据库的地址应为'],
    ['mysql://localhost/x', '数据库的地址应为'],
    ['sqlite:', '数据库的地址应为'],
    ['sqlite:/nowhere/moye.sqlite', 'cannot use database /nowhere/moye.sqlite'],
    ['postgres://nobody@127.0.0.1:1/x', 'cannot use PostgreSQL database 127.0.0.1:1/x'],
  ])('from %s is refused in one line', async (from, sentence) => {
    await expect(stage.move({ from })).rejects.toThrow(sentence);
    await expect(stage.move({ from })).rejects.toThrow(/^[^\n]+$/);
  });

  test('refuses databases of other versions', async () => {
    await fillSite(stage.dataDir);
    for (const [version, sentence] of [
      [1, '来源数据库是旧版本的墨页建的'],
      [999, '来源数据库是更新版本的墨页建的'],
    ] as const) {
      const db = new DatabaseSync(stage.from.slice(7));
      db.prepare('update schema_version set version = ?').run(version);
      db.close();
      await expect(stage.move()).rejects.toThrow(sentence);
    }
  });
});
