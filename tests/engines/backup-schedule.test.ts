import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openArchive } from '../../src/lib/server/backup/archive-reader.ts';
import { explain } from '../../src/lib/server/operations/explain.ts';
import { createBackups } from '../../src/lib/server/backup/backup-service.ts';
import { openDestination } from '../../src/lib/server/backup/destination.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { placeIn } from '../../src/lib/server/operations/databases.ts';
import { createStorage } from '../engine.ts';
import { noteBackup } from '../../src/lib/server/operations/backup.ts';
import { digestsOf, openBackupStage, PASSPHRASE, type BackupStage } from './backup-stage.ts';
import { openSite } from './move-stage.ts';
import { openDatabase, type OpenedDatabase } from './open.ts';
import { openS3Storage } from './s3-storage.ts';
import { HOUR_MS } from '../../src/lib/contract/rules/units.ts';
import { fakes } from '../fakes.ts';

const START = Date.UTC(2026, 0, 1);

let stage: BackupStage;
let opened: OpenedDatabase;
beforeEach(async () => {
  stage = await openBackupStage();
  opened = await openDatabase();
});
afterEach(async () => {
  await opened.close();
  await stage.close();
});

/** Backups of one process with a controlled clock; each archive is a file that contains its number. */
function openSchedule(clock: { now: number }, { keep = 2, isFailing = (): boolean => false } = {}) {
  const folder = join(stage.folder, 'backups');
  const logged: string[] = [];
  const record = (_fields: unknown, text = '') => void logged.push(text);
  const made: string[] = [];
  const open = () =>
    createBackups({
      db: opened.db,
      schedule: async () => ({
        everyMs: HOUR_MS,
        keep,
        async run(name) {
          if (isFailing()) throw new Error('磁盘已满');
          const draft = await openDestination({ folder }).begin(name);
          await new Promise<void>((resolve) => draft.sink.end(String(made.length), () => resolve()));
          await draft.commit();
          made.push(name);
          return { time: clock.now, bytes: 7 };
        },
        openDestination: () => openDestination({ folder }),
        openArchive: (name) => openArchive({ place: { folder }, name }),
        check: async () => '',
        place: folder,
      }),
      explain,
      tryPlace: async () => null,
      ...fakes({ log: { info: record, warn: record, error: record } }),
      now: () => clock.now,
    });
  /** One look at the schedule, as a process that has just started takes it. */
  const runJob = () => open().look(new AbortController().signal);
  return { folder, logged, made, open, runJob };
}

test('backups are created on schedule, and old ones removed', async () => {
  const clock = { now: START };
  const { folder, made, runJob, open } = openSchedule(clock);
  expect(await open().last()).toEqual({ time: null, bytes: 0, error: '' });
  expect(await open().age()).toBe(Infinity);
  await runJob();
  await runJob();
  expect(made).toEqual(['moye-20260101T000000Z.tar.zst']);
  clock.now += HOUR_MS - 1;
  await runJob();
  expect(made).toHaveLength(1);
  expect(await open().age()).toBe(3599.999);
  writeFileSync(join(folder, 'mine.tar.zst'), 'kept');
  for (let hour = 0; hour < 3; hour++) {
    clock.now += HOUR_MS;
    await runJob();
  }
  expect(made).toHaveLength(4);
  expect(readdirSync(folder).sort()).toEqual(['mine.tar.zst', ...made.slice(2)]);
  expect(await open().last()).toEqual({ time: clock.now, bytes: 7, error: '' });
});

test('the oldest is removed only once the newest is complete; failures are logged and retried', async () => {
  const clock = { now: START };
  let isFailing = false;
  const { folder, made, logged, runJob, open } = openSchedule(clock, { keep: 1, isFailing: () => isFailing });
  await runJob();
  isFailing = true;
  clock.now += HOUR_MS;
  await runJob();
  expect(readdirSync(folder)).toEqual(made);
  expect(await open().last()).toEqual({ time: START, bytes: 7, error: '磁盘已满' });
  expect(logged).toContain('backup failed');
  const count = () => logged.filter((text) => text === 'backup failed').length;
  await runJob();
  expect(count()).toBe(1);
  clock.now += 10 * 60_000;
  await runJob();
  expect(count()).toBe(2);
  expect(logged).not.toContain('last backup is too old');
  clock.now += HOUR_MS;
  await runJob();
  expect(logged).toContain('last backup is too old');
  isFailing = false;
  clock.now += HOUR_MS;
  await runJob();
  expect(readdirSync(folder)).toEqual([made[1]]);
  expect(await open().last()).toEqual({ time: clock.now, bytes: 7, error: '' });
});

test('only one process at a time creates a backup', async () => {
  const clock = { now: START };
  const { made, open } = openSchedule(clock);
  const { signal } = new AbortController();
  await Promise.all([open(), open(), open()].map((backups) => backups.look(signal)));
  // PostgreSQL admits one process. Processes that share a SQLite file are one server and the operator's
  // commands.
  if (opened.db.engine === 'postgres') expect(made).toHaveLength(1);
  else expect(new Set(made).size).toBe(1);
});

test('a manual backup is recorded for the server', async () => {
  const site = await stage.site();
  const report = await stage.backUp(site);
  await noteBackup(site.places, report);
  const app = await openSite(site.dataDir);
  expect(await app.services.backups.last()).toEqual({ time: report.time, bytes: report.bytes, error: '' });
  await app.close();
});

test('a running server creates restorable archives, and stops without leftovers', async () => {
  const storage = await createStorage(join(stage.folder, 'running'));
  const to = join(stage.folder, 'backups');
  const settings = { BACKUP_EVERY: '1h', BACKUP_TO: to, BACKUP_PASSPHRASE: PASSPHRASE };
  const app = await openSite(join(stage.folder, 'running'), { ...storage.settings, ...settings });
  try {
    await app.services.accounts.add({ username: '作者', password: '松风吹解带山月照弹琴', bio: '' });
    app.services.backups.start();
    await expect.poll(async () => (await app.services.backups.last()).time).not.toBeNull();
    const [name = ''] = readdirSync(to);
    expect(name).toMatch(/^moye-\d{8}T\d{6}Z\.tar\.zst$/);
    const there = await stage.home('there', { isSqlite: true });
    const { manifest, secret } = await stage.restore(join(to, name), there);
    expect(secret).toBe('restored');
    expect(readFileSync(join(there.dataDir, 'token-secret'), 'utf8')).toBe(app.config.tokenSecret);
    expect(await there.storage.count('select count(*) from users')).toBe(1);
    const digests = await digestsOf(there.address);
    for (const table of manifest.tables) expect(digests[table.name]).toBe(table.sha256);
  } finally {
    await app.close();
    await storage.remove();
  }
  expect(readdirSync(to)).toHaveLength(1);
});

test('archives are stored in a bucket, completely or not at all', async () => {
  const storage = await openS3Storage('backups/');
  const site = await stage.site();
  try {
    const to = { s3: storage.place };
    await stage.backUp(site, 'moye-20260101T000000Z.tar.zst', { to });
    expect(storage.keys()).toEqual(['backups/moye-20260101T000000Z.tar.zst']);
    const destination = openDestination(to);
    expect((await destination.list()).map(({ name }) => name)).toEqual(['moye-20260101T000000Z.tar.zst']);
    await destination.remove('moye-20260101T000000Z.tar.zst');
    destination.close();
    expect(storage.keys()).toEqual([]);
    storage.be('locked');
    await expect(stage.backUp(site, 'b.tar.zst', { to })).rejects.toThrow('AccessDenied');
    storage.be('well');
    expect(storage.keys()).toEqual([]);
    expect(readdirSync(site.dataDir).filter((name) => name.includes('snapshot'))).toEqual([]);
  } finally {
    await storage.close();
  }
});

test('unusable settings stop the start with one line', () => {
  const read = (settings: Record<string, string>) => () =>
    readConfig({ DATA_DIR: join(stage.folder, 'settings'), ...settings });
  expect(read({ BACKUP_EVERY: '1x', BACKUP_TO: '/b' })).toThrow('BACKUP_EVERY must be an interval such as');
  expect(read({ BACKUP_EVERY: '1d' })).toThrow(
    'backups need BACKUP_EVERY and BACKUP_TO: set both or neither',
  );
  expect(read({ BACKUP_EVERY: '1d', BACKUP_TO: 'ftp://x/y' })).toThrow('BACKUP_TO must be a folder');
  expect(read({ BACKUP_EVERY: '1d', BACKUP_TO: 's3://bucket/a' })).toThrow('backups in S3 need');
  expect(read({ BACKUP_PASSPHRASE: 'short' })).toThrow('BACKUP_PASSPHRASE must be at least 12 characters');
  expect(placeIn(readConfig({ DATA_DIR: stage.folder }))).toMatchObject({ engine: 'sqlite' });
  const s3 = { BACKUP_S3_ACCESS_KEY_ID: 'a', BACKUP_S3_SECRET_ACCESS_KEY: 'b', BACKUP_S3_REGION: 'c' };
  const { operator } = read({ BACKUP_EVERY: '90m', BACKUP_TO: 's3://bucket/a/b/', ...s3 })();
  expect(operator.backup).toMatchObject({ everyMs: 90 * 60_000, keep: 7, to: { s3: { prefix: 'a/b/' } } });
});
