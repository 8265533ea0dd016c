import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { TEST_MS } from '../limits.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import type { App } from '../../src/lib/server/services.ts';
import { amount, tally } from '../trial.ts';
import {
  COMMAND_ENVIRONMENT,
  digestsOf,
  ENGINE,
  expectSound,
  moye,
  openBackupStage,
  type BackupStage,
  type Home,
} from './backup-stage.ts';
import { spawnMoye, startMoye } from './import-command.ts';
import { addComments, openSite } from './move-stage.ts';

/** Number of kills, and number of backups during writes. */
const KILLS = amount('MOYE_KILLS', 3, 10);
const ROUNDS = amount('MOYE_BACKUPS', 1);
const COMMENTS = 20_000;
const WRITES_A_SECOND = 200;
/** Several processes run one after another, possibly on a busy machine. */
const PATIENT = { timeout: TEST_MS + 20_000 * (KILLS + ROUNDS) };

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

/** Runs a command and kills it after `ms` unless it has finished; resolves to whether it was killed. */
async function killAfter(at: Home, words: string[], ms: number): Promise<boolean> {
  const running = startMoye(at.storage, words, { environment: COMMAND_ENVIRONMENT });
  const ended = once(running, 'exit');
  const timer = setTimeout(() => running.kill('SIGKILL'), ms);
  const [, signal] = (await ended) as [number | null, string | null];
  clearTimeout(timer);
  if (signal === 'SIGKILL') tally(`${words[0]}s killed`);
  return signal === 'SIGKILL';
}

/** Creates a site with many comments on the engine of this run. */
async function manyComments(): Promise<Home> {
  const site = await stage.site();
  addComments(site.dataDir, COMMENTS);
  if (ENGINE === 'sqlite') return site;
  const { file } = await stage.backUp(site, 'first.tar.zst');
  const home = await stage.home('here');
  await stage.restore(file, home);
  rmSync(file);
  return home;
}

/** Writes comments until aborted. */
async function writeComments(app: App, acknowledged: string[], signal: AbortSignal): Promise<void> {
  const author = await app.services.users.find('作者');
  const viewer: Viewer = { id: author?._id ?? '', username: '作者', signinId: '', origin: '' };
  const [article] = await app.db.read.selectFrom('articles').select('id').orderBy('seq').limit(1).execute();
  const comment = { page_id: article?.id ?? '', reply_user: '', reply_content: '' };
  const started = performance.now();
  for (let number = 0; !signal.aborted; number++) {
    const fields = { ...comment, request_id: `write-${number}`, content: `边写边备份 ${number}` };
    // Sent again with the same request id, as clients do, if the database is locked for too long.
    const { _id: id } = await eventually(() => app.services.comments.create(fields, viewer));
    acknowledged.push(id);
    const early = started + (number * 1000) / WRITES_A_SECOND - performance.now();
    if (early > 0) await wait(early);
  }
}

describe(`on ${ENGINE}`, () => {
  test('a backup has every write acknowledged before it began, while others write', PATIENT, async () => {
    const site = await manyComments();
    const app = await openSite(site.dataDir, {
      ...site.storage.settings,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
    });
    const stopping = new AbortController();
    const acknowledged: string[] = [];
    const writing = writeComments(app, acknowledged, stopping.signal);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await expect.poll(() => acknowledged.length, { interval: 20 }).toBeGreaterThan(100 * (round + 1));
        const before = [...acknowledged];
        const file = join(stage.folder, `${round}.tar.zst`);
        const { code, output, errors } = await moye(site, 'backup', file);
        expect([code, errors]).toEqual([0, '']);
        expect(output).toMatch(/^已备份：\d+ 行，\d+ 张图片，[\d.]+ MB，状态截至 \S+$/m);
        expect(acknowledged.length).toBeGreaterThan(before.length);
        for (const isSqlite of [true, false]) {
          const there = await stage.home(`there-${round}-${isSqlite}`, { isSqlite });
          const { manifest } = await stage.restore(file, there);
          await expectSound(there);
          const rows = await there.storage.rows("select id from comments where content like '边写边备份%'");
          const held = new Set(rows.map(({ id }) => id));
          expect(before.filter((id) => !held.has(id))).toEqual([]);
          const digests = await digestsOf(there.address);
          for (const { name, sha256 } of manifest.tables)
            expect([name, digests[name]]).toEqual([name, sha256]);
        }
        rmSync(file);
      }
    } finally {
      stopping.abort();
      await writing;
      await app.close();
    }
    console.info(`${ENGINE}: ${ROUNDS} backups beside ${acknowledged.length} writes: nothing is missing`);
  });

  test('a killed backup leaves no file under its name, and the next one is complete', PATIENT, async () => {
    const site = await manyComments();
    const folder = join(stage.folder, 'backups');
    const file = join(folder, 'a.tar.zst');
    const started = performance.now();
    expect((await moye(site, 'backup', file)).code).toBe(0);
    const took = performance.now() - started;
    rmSync(file);
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      if (await killAfter(site, ['backup', file], took * (0.3 + (0.7 * (kill + 0.5)) / KILLS))) {
        killed++;
        // If the backup was killed after the final rename, the file must be complete; the restore verifies
        // that.
        if (existsSync(file)) await stage.restore(file, await stage.home(`killed-${kill}`));
      }
      rmSync(file, { force: true });
    }
    const { code, output } = await moye(site, 'backup', file);
    expect(code).toBe(0);
    // On PostgreSQL the site was restored including its secret; the other site has no secret file.
    const hasSecret = existsSync(join(site.dataDir, 'token-secret'));
    expect(output).toContain(hasSecret ? '密钥已用口令加密放进备份' : '密钥没有放进备份');
    expect(readdirSync(folder)).toEqual(['a.tar.zst']);
    const there = await stage.home('there');
    await stage.restore(file, there);
    expect(await digestsOf(there.address)).toEqual(await digestsOf(site.address));
    console.info(`${ENGINE}: ${killed} of ${KILLS} backups were killed`);
  });

  test('a killed restore continues when run again', PATIENT, async () => {
    const site = await manyComments();
    const { file } = await stage.backUp(site);
    const measured = await stage.home('measured');
    const started = performance.now();
    expect((await moye(measured, 'restore', file)).code).toBe(0);
    const took = performance.now() - started;
    const there = await stage.home('there');
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++)
      if (await killAfter(there, ['restore', file], took * (0.3 + (0.6 * (kill + 0.5)) / KILLS))) killed++;
    const { code, output, errors } = await moye(there, 'restore', file);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/逐表核对一致|数据库里已经是这份备份/);
    expect(await digestsOf(there.address)).toEqual(await digestsOf(site.address));
    await expectSound(there);
    // A kill may leave an unfinished file, which maintenance removes (tests/engines/files.test.ts).
    const uploadsOf = ({ dataDir }: { dataDir: string }) =>
      readdirSync(join(dataDir, 'uploads'))
        .filter((name) => !/^\.[0-9a-f]{32}\.part$/.test(name))
        .sort();
    expect(uploadsOf(there)).toEqual(uploadsOf(measured));
    const app = await openSite(there.dataDir, there.storage.settings);
    expect((await app.services.articles.search('空山新雨', { page: 1, pageSize: 10 })).total).toBe(1);
    await app.close();
    console.info(`${ENGINE}: ${killed} of ${KILLS} restores were killed`);
  });
});

describe('the commands', () => {
  test('Ctrl-C stops a backup, which leaves nothing', PATIENT, async () => {
    const site = await manyComments();
    const folder = join(stage.folder, 'backups');
    const running = startMoye(site.storage, ['backup', join(folder, 'a.tar.zst')], {
      environment: COMMAND_ENVIRONMENT,
    });
    const ended = once(running, 'exit');
    let output = '';
    running.stdout?.on('data', (chunk) => (output += String(chunk)));
    await expect.poll(() => existsSync(folder) && readdirSync(folder).length, { interval: 5 }).toBeTruthy();
    running.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(output).toBe('已停下，没有留下文件\n');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'a full disk leaves no backup, and a restore continues',
    PATIENT,
    async () => {
      const site = await manyComments();
      const folder = join(stage.folder, 'backups');
      const words = ['backup', join(folder, 'a.tar.zst')];
      const small = await spawnMoye(site.storage, words, {
        environment: COMMAND_ENVIRONMENT,
        largestFile: 100 * 1024,
      });
      expect([small.code, small.output]).toEqual([1, '']);
      expect(small.errors).toMatch(
        /^moye：(?:磁盘已满：备份要先在旁边放一份数据库的副本|文件超过了系统允许的大小)\n$/,
      );
      expect(readdirSync(folder)).toEqual([]);

      const { file } = await stage.backUp(site);
      const there = await stage.home('there', { isSqlite: true });
      const restore = ['restore', file];
      const full = await spawnMoye(there.storage, restore, {
        environment: COMMAND_ENVIRONMENT,
        largestFile: 3 * 1024 * 1024,
      });
      expect([full.code, full.output]).toEqual([1, '']);
      expect(full.errors).toBe('moye：磁盘已满，写不进数据库：腾出地方后再次运行同样的命令，会接着恢复\n');
      await expect(openSite(there.dataDir)).rejects.toThrow('was interrupted');
      expect((await moye(there, ...restore)).code).toBe(0);
      expect(await digestsOf(there.address)).toEqual(await digestsOf(site.address));
    },
  );
});
