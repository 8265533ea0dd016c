import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clean } from '../clean-texts.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { fingerprintOf } from '../../src/lib/server/db/move-rows.ts';
import { LEFT_TABLES, MOVED_TABLES } from '../../src/lib/server/db/move-tables.ts';
import type { MoveProgress } from '../../src/lib/server/operations/move.ts';
import { ENGINE } from '../engine.ts';
import {
  everything,
  fillSite,
  openMoveStage,
  openSite,
  openSnapshotOf,
  PASSWORD,
  tablesOf,
  type MoveStage,
} from './move-stage.ts';

const STOPPED = expect.objectContaining({ name: 'AbortError' });

let stage: MoveStage;
beforeEach(async () => {
  stage = await openMoveStage();
});
afterEach(() => stage.close());

describe(`a move to ${ENGINE}`, () => {
  test('moves everything unchanged, and leaves the source unchanged', async () => {
    const filled = await fillSite(stage.dataDir);
    const before = await everything(stage.from);
    for (const rows of Object.values(before)) expect(rows.length).toBeGreaterThan(0);
    const file = () =>
      createHash('sha256')
        .update(readFileSync(stage.from.slice(7)))
        .digest('hex');
    const [untouched, report] = [file(), await stage.move()];
    expect(report).toMatchObject({ outcome: 'moved', found: 0, isSourceChanged: false });
    expect(await everything(stage.to)).toEqual(before);
    expect(file()).toBe(untouched);
    for (const { table, rows, digest } of report.tables) {
      expect(rows).toBe(before[table]?.length);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }

    const site = await openSite(stage.targetDir, stage.target.settings);
    const { auth, articles, comments, users } = site.services;
    const { token } = await auth.refresh(`Bearer ${filled.refreshToken}`);
    const { viewer } = await auth.viewerOf(`Bearer ${token}`);
    expect(viewer?.username).toBe('作者');
    expect(await auth.verifyPassword('读者', PASSWORD)).toBe(true);
    expect(viewer && (await comments.countUnread(viewer))).toBe(1);
    expect((await users.detail('作者')).avatar).toBe(filled.avatar);
    const search = (words: string) => articles.search(words, { page: 1, pageSize: 10 });
    expect((await search('空山新雨')).result.map(({ id }) => id)).toEqual([filled.articleIds[0]]);
    for (const hidden of ['独坐幽篁', '弹琴复长啸', '长长长']) expect((await search(hidden)).total).toBe(0);
    // Generated ids continue after the moved ones.
    if (!viewer) throw new Error('nobody is signed in');
    const fields = {
      title: '新的',
      content: '竹喧归浣女',
      tags: ['诗'],
      type: '',
      status: 'normal' as const,
    };
    const { id } = await articles.create({ ...fields, secret: false }, viewer);
    expect((await search('竹喧')).result.map((row) => row.id)).toEqual([id]);
    const { seq } = await site.db.read
      .selectFrom('articles')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(seq).toBeGreaterThan(before['articles']?.length ?? 0);
    await site.close();
  });

  test('and back again changes nothing', async () => {
    await fillSite(stage.dataDir);
    const there = await stage.move();
    const to = `sqlite:${join(stage.dataDir, '..', 'back', 'moye.sqlite')}`;
    const back = await stage.move({ from: stage.to, to });
    expect(back.tables).toEqual(there.tables);
    expect(await everything(to)).toEqual(await everything(stage.from));
  });

  test('replaces characters that PostgreSQL cannot store', async () => {
    await fillSite(stage.dataDir);
    const db = await openSqlite(stage.from.slice(7));
    await db.write((trx) =>
      trx
        .updateTable('users')
        .set({ bio: clean('a\0b') })
        .where('username', '=', '作者')
        .execute(),
    );
    await db.close();
    await stage.move();
    const rows = await stage.target.rows("select bio from users where username = '作者'");
    expect(rows).toEqual([{ bio: 'a\ufffdb' }]);
  });

  test('does nothing the second time', async () => {
    await fillSite(stage.dataDir);
    const first = await stage.move();
    expect(await stage.move()).toEqual({ ...first, outcome: 'same' });
  });

  test('has a dry run that writes nothing', async () => {
    await fillSite(stage.dataDir);
    const report = await stage.move({ isDryRun: true });
    expect(report.outcome).toBe('possible');
    expect(report.tables.find(({ table }) => table === 'users')).toEqual({ table: 'users', rows: 2 });
    if (ENGINE === 'sqlite') await expect(tablesOf(stage.to)).rejects.toThrow('no such file');
    else expect(await tablesOf(stage.to)).toEqual([]);
  });

  test('reports its progress', async () => {
    await fillSite(stage.dataDir);
    const shown: MoveProgress[] = [];
    const { tables } = await stage.move({ onProgress: (progress) => shown.push(progress) });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    for (const [step, total] of [
      ['copy', rows],
      ['compare', 2 * rows],
    ] as const) {
      const ofStep = shown.filter((progress) => progress.step === step);
      expect(ofStep.map(({ done }) => done)).toEqual(ofStep.map(({ done }) => done).sort((a, b) => a - b));
      expect(ofStep.at(-1)).toMatchObject({ done: total, total });
    }
    expect(shown.at(-1)).toEqual({ step: 'index', table: '', done: 1, total: 1 });
  });

  test('once interrupted is not served, and resumes', async () => {
    await fillSite(stage.dataDir);
    const interrupt = new AbortController();
    const stopAt = ({ table }: MoveProgress) => {
      if (table === 'comments') interrupt.abort();
    };
    await expect(stage.move({ signal: interrupt.signal, onProgress: stopAt })).rejects.toThrow(STOPPED);
    expect(await stage.target.rows('select id from users')).toHaveLength(2);
    expect(await stage.target.rows('select id from comments')).toHaveLength(0);
    await expect(openSite(stage.targetDir, stage.target.settings)).rejects.toThrow(
      /^a move into this database from \S+ is not done: run `moye move` again$/,
    );
    const there = `sqlite:${join(stage.dataDir, 'further.sqlite')}`;
    await expect(stage.move({ from: stage.to, to: there })).rejects.toThrow('来源是一次没有完成的搬家的目标');
    const { found } = await stage.move({ isDryRun: true });
    expect(found).toBeGreaterThan(2);
    expect(await stage.move()).toMatchObject({ outcome: 'moved', found });
    expect(await everything(stage.to)).toEqual(await everything(stage.from));
    await (await openSite(stage.targetDir, stage.target.settings)).close();
  });

  test('can also be stopped while building the index', async () => {
    await fillSite(stage.dataDir);
    const interrupt = new AbortController();
    const stopAt = ({ step, done }: MoveProgress) => {
      if (step === 'index' && done > 0) interrupt.abort();
    };
    await expect(stage.move({ signal: interrupt.signal, onProgress: stopAt })).rejects.toThrow(STOPPED);
    await expect(openSite(stage.targetDir, stage.target.settings)).rejects.toThrow('is not done');
    expect(await stage.move()).toMatchObject({ outcome: 'moved' });
    const site = await openSite(stage.targetDir, stage.target.settings);
    expect((await site.services.articles.search('空山', { page: 1, pageSize: 10 })).total).toBe(1);
    await site.close();
  });

  test(
    'once interrupted reports a source changed since, and keeps the target closed',
    { tags: ['once'] },
    async () => {
      await fillSite(stage.dataDir);
      const interrupt = new AbortController();
      const stopAt = ({ table }: MoveProgress) => {
        if (table === 'comments') interrupt.abort();
      };
      await expect(stage.move({ signal: interrupt.signal, onProgress: stopAt })).rejects.toThrow(STOPPED);
      const db = await openSqlite(stage.from.slice(7));
      await db.write((trx) =>
        trx
          .updateTable('users')
          .set({ bio: clean('变了') })
          .execute(),
      );
      await db.close();
      await expect(stage.move()).rejects.toThrow(/^两边的 users 表不一致，多半是来源在两次搬家之间有了改动/);
      await expect(openSite(stage.targetDir, stage.target.settings)).rejects.toThrow('is not done');
    },
  );

  test('excludes writes made meanwhile, and reports them', async () => {
    await fillSite(stage.dataDir);
    const before = await everything(stage.from);
    const db = await openSqlite(stage.from.slice(7));
    let writing: Promise<unknown> | undefined;
    const onProgress = () => {
      writing ??= db.write((trx) =>
        trx
          .updateTable('users')
          .set({ bio: clean('新的') })
          .execute(),
      );
    };
    const report = await stage.move({ onProgress });
    await writing;
    await db.close();
    expect(report).toMatchObject({ outcome: 'moved', isSourceChanged: true });
    expect(await everything(stage.to)).toEqual(before);
  });

  test('accepts a target opened by a server before, and builds the index', async () => {
    await fillSite(stage.dataDir);
    await (await openSite(stage.targetDir, stage.target.settings)).close();
    expect((await stage.move()).outcome).toBe('moved');
    const site = await openSite(stage.targetDir, stage.target.settings);
    expect((await site.services.articles.search('空山', { page: 1, pageSize: 10 })).total).toBe(1);
    await site.close();
  });

  test('covers every table', async () => {
    mkdirSync(stage.targetDir, { recursive: true });
    await (await openSite(stage.targetDir, stage.target.settings)).close();
    const moved = new Set<string>(MOVED_TABLES.map(({ name }) => name));
    const tables = await tablesOf(stage.to);
    expect(tables.filter((name) => !moved.has(name) && !LEFT_TABLES.test(name))).toEqual([]);
    expect([...moved].filter((name) => !tables.includes(name))).toEqual([]);
  });

  test('compares values, not only row counts', async () => {
    await fillSite(stage.dataDir);
    const fingerprint = async () => {
      const snapshot = await openSnapshotOf(stage.from);
      const [users] = MOVED_TABLES;
      if (!users) throw new Error('no table is moved');
      const { digest } = await fingerprintOf(snapshot.db, users);
      await snapshot.close();
      return digest;
    };
    const before = await fingerprint();
    expect(await fingerprint()).toBe(before);
    const db = new DatabaseSync(stage.from.slice(7));
    db.exec("update users set bio = 'x' where username = '作者'");
    db.close();
    expect(await fingerprint()).not.toBe(before);
  });
});
